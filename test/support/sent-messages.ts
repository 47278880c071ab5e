import { vi } from "vitest";

/** Captures messages to a queue instead of sending them. Returns a function with the bodies so far. */
export function recordMessages(queue: Queue): () => unknown[] {
  const spy = vi.spyOn(queue, "sendBatch").mockResolvedValue({
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
  });
  return () => spy.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body));
}
