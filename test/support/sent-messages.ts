import { vi } from "vitest";

/** Takes what is sent to a queue instead of sending it. Gives the bodies that were sent so far, first to last. */
export function recordMessages(queue: Queue): () => unknown[] {
  const spy = vi.spyOn(queue, "sendBatch").mockResolvedValue({
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
  });
  return () => spy.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body));
}
