import type { VitestProcess } from "./vitest-process.ts";

/** Runs processes one after another, also when one fails, as if they were one. Its exit code is the first that is not 0. */
export function startLane(starts: readonly (() => VitestProcess)[]): VitestProcess {
  const started: VitestProcess[] = [];
  let isShown = false;
  let isEnded = false;
  const run = async (): Promise<number> => {
    let first = 0;
    for (const start of starts) {
      if (isEnded) return first || 1;
      const child = start();
      started.push(child);
      if (isShown) child.show();
      first ||= await child.ended;
    }
    return first;
  };
  return {
    ended: run(),
    show: () => {
      isShown = true;
      for (const child of started) child.show();
    },
    end: () => {
      isEnded = true;
      for (const child of started) child.end();
    },
  };
}
