/** Draws frames one after the other. Of those asked for meanwhile only the last is drawn: who drags never waits for the rest. */
export interface FrameQueue {
  readonly ask: (frame: number) => void;
  /** Forgets what was asked for and not begun. */
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
