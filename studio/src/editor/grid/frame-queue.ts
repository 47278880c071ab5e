/** Draws frames one after the other. While one is drawn, only the latest request is kept, so that dragging never lags behind. */
export interface FrameQueue {
  readonly ask: (frame: number) => void;
  /** Drops the request that waits. */
  readonly clear: () => void;
}

/** `draw` does not reject. */
export function createFrameQueue(draw: (frame: number) => Promise<void>): FrameQueue {
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
    ask: (frame) => {
      wanted = frame;
      if (!isDrawing) void run();
    },
    clear: () => {
      wanted = null;
    },
  };
}
