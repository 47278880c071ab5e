/** The finest step of time that is shown: a video's frame. */
export const TICK_MS = 40;

/** How long one play takes. */
export const playMsOf = (delaysMs: readonly number[]): number =>
  delaysMs.reduce((sum, delayMs) => sum + delayMs, 0);

/** The frame that shows at a moment of a play, before the last frame does: null from then on, when the end card shows. */
export function frameBefore(delaysMs: readonly number[], ms: number): number | null {
  let untilMs = 0;
  const frame = delaysMs.slice(0, -1).findIndex((delayMs) => {
    untilMs += delayMs;
    return ms < untilMs;
  });
  return frame === -1 ? null : frame;
}
