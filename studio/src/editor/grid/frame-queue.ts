/**
 * Draws frames one after the other. While one is drawn, only the latest request is kept, so that dragging never lags behind.
 * `draw` does not reject.
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
    /** Drops the request that waits. */
    clear: (): void => {
      wanted = null;
    },
  };
}

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
