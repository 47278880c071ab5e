import type { KeyboardEvent } from "react";

/** The button of a size's tile. */
export const tileButton = (sizeId: string | undefined): HTMLElement | null =>
  document.querySelector(`[data-size-id="${CSS.escape(sizeId ?? "")}"] button`);

const MOVES: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** Moves the focus from tile to tile, in reading order, so that Tab has one stop for all of them. */
export function useGridKeys(sizeIds: readonly string[]): (event: KeyboardEvent) => void {
  return (event) => {
    const move = MOVES[event.key];
    const focused = document.activeElement?.closest<HTMLElement>("[data-size-id]")?.dataset.sizeId;
    if (move === undefined || focused === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = sizeIds[move(sizeIds.indexOf(focused), sizeIds.length - 1)];
    event.preventDefault();
    tileButton(next)?.focus();
  };
}
