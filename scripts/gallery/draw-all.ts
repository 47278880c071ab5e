import { Worker } from "node:worker_threads";
import type { DrawRequest, Outcome } from "./draw-messages.ts";

/**
 * Renders all requests on several threads. `onDrawn` is called after each. Results are in the order of the requests.
 */
export async function drawAll(
  requests: readonly DrawRequest[],
  threads: number,
  onDrawn: (request: DrawRequest, outcomes: readonly Outcome[]) => void,
): Promise<readonly (readonly Outcome[])[]> {
  const answers: (readonly Outcome[])[] = requests.map(() => []);
  let next = 0;
  const runThread = async () => {
    const worker = new Worker(new URL("draw-thread.ts", import.meta.url));
    try {
      for (;;) {
        const turn = next++;
        const request = requests[turn];
        if (request === undefined) return;
        const outcomes = await ask(worker, request);
        answers[turn] = outcomes;
        onDrawn(request, outcomes);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, requests.length) }, runThread));
  return answers;
}

function ask(worker: Worker, request: DrawRequest): Promise<readonly Outcome[]> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number) => settle(() => reject(new Error(`a drawing thread ended with ${code}`)));
    const onError = (error: unknown) => settle(() => reject(error));
    const onMessage = (outcomes: readonly Outcome[]) => settle(() => resolve(outcomes));
    const settle = (end: () => void) => {
      worker.off("exit", onExit).off("error", onError).off("message", onMessage);
      end();
    };
    worker.on("exit", onExit).on("error", onError).on("message", onMessage);
    worker.postMessage(request);
  });
}
