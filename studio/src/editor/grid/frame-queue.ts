/**
 * Draws one frame at a time. While a frame is drawn, only the latest request waits, so that dragging never lags.
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

/** Duration of an animation, played once. */
export const playMsOf = (delaysMs: readonly number[]): number =>
  delaysMs.reduce((sum, delayMs) => sum + delayMs, 0);

/** Index of the frame at a time of the animation. Null from the start of the last frame, the end card. */
export function frameBefore(delaysMs: readonly number[], ms: number): number | null {
  let untilMs = 0;
  const frame = delaysMs.slice(0, -1).findIndex((delayMs) => {
    untilMs += delayMs;
    return ms < untilMs;
  });
  return frame === -1 ? null : frame;
}
