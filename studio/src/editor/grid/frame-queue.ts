/**
 * Draws frames one after the other. While one is drawn, keeps only the latest request, so that dragging never lags.
 * `draw` must not reject.
 */
export function createFrameQueue(draw: (frame: number) => Promise<void>) {
  let wanted: number | null = null;
  let isDrawing = false;
  const run = async (): Promise<void> => {
    isDrawing = true;
    while (wanted !== null) {
      const frame = wanted;
      wanted = null;
      await draw(frame);
    }
    isDrawing = false;
  };
  return {
    ask: (frame: number): void => {
      wanted = frame;
      if (!isDrawing) void run();
    },
    /** Drops the waiting request. */
    clear: (): void => {
      wanted = null;
    },
  };
}

/** Smallest time step: one video frame. */
export const TICK_MS = 40;

/** Duration of one play. */
export const playMsOf = (delaysMs: readonly number[]): number =>
  delaysMs.reduce((sum, delayMs) => sum + delayMs, 0);

/** Frame at a moment of a play; null from the last frame on, when the end card shows. */
export function frameBefore(delaysMs: readonly number[], ms: number): number | null {
  let untilMs = 0;
  const frame = delaysMs.slice(0, -1).findIndex((delayMs) => {
    untilMs += delayMs;
    return ms < untilMs;
  });
  return frame === -1 ? null : frame;
}
