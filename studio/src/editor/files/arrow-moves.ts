import type { KeyboardEvent } from "react";

const STEP = 0.01;
const LONG_STEP = 0.1;
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** How far an arrow key moves what stands on a picture, in shares of it: a hundredth, with the shift key a tenth. Null for others. */
export function arrowMove({ key, shiftKey }: KeyboardEvent): readonly [across: number, down: number] | null {
  const move = MOVES[key];
  if (move === undefined) return null;
  const step = shiftKey ? LONG_STEP : STEP;
  return [move[0] * step, move[1] * step];
}
