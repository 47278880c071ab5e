/** Gives turns: tasks run one after the other, in the order they came. */
export interface Turns {
  /** Runs the task when all earlier ones have ended, or have held their turn for longer than allowed. */
  take<T>(task: () => Promise<T>): Promise<T>;
}

/**
 * One at a time in this isolate. A request may be cut off in its turn and then never ends it; whoever waits
 * takes over after `holdMsMax`, so that a dead request cannot block the isolate for good.
 */
export function createTurns(holdMsMax: number): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    async take(task) {
      const earlier = last;
      let end = (): void => undefined;
      last = new Promise((resolve) => {
        end = resolve;
      });
      try {
        await endedOrOverdue(earlier, holdMsMax);
        return await task();
      } finally {
        end();
      }
    },
  };
}

async function endedOrOverdue(turn: Promise<void>, waitMsMax: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const overdue = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMsMax);
  });
  await Promise.race([turn, overdue]);
  clearTimeout(timer);
}
