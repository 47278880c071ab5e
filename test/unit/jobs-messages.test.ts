import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { partsOf, sizeIdsOfPart } from "#domains/jobs/part-store.ts";
import { messagesFor } from "#interface/queue/enqueue-jobs.ts";
import { renderMessageSchema, renderRetryMs } from "#interface/queue/messages.ts";

const JOB_ID = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";
const SIZE_IDS = Array.from({ length: LIMITS.sizesPerJobMax }, (_, position) => `size-${position}`);

describe("messages name every part once and stay within the queue's limits", () => {
  it.each(["static", "animated"] as const)("%s", (motion) => {
    const job = { motion, selectedSizeIds: SIZE_IDS };
    const messages = messagesFor({ jobId: JOB_ID, outputFormat: "png", parts: partsOf(job) });
    expect(partsOf(job).flatMap((part) => sizeIdsOfPart(job, part))).toEqual(SIZE_IDS);
    expect(messages.every((message) => renderMessageSchema.safeParse(message).success)).toBe(true);
    // One call to the queue accepts at most 100 messages and 256 KB.
    expect(messages.length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(messages).length).toBeLessThan(60_000);
  });

  it("rejects messages with no parts, too many parts or unknown content", () => {
    for (const body of [
      null,
      {},
      { jobId: JOB_ID, positions: [] },
      { jobId: "x", part: 0 },
      { jobId: JOB_ID, part: -1 },
      { jobId: JOB_ID, part: LIMITS.sizesPerJobMax },
      { jobId: JOB_ID, part: 0, more: true },
    ]) {
      expect(renderMessageSchema.safeParse(body).success).toBe(false);
    }
  });
});

it("a failed message waits three times as long each time, at most five minutes", () => {
  expect([1, 2, 3, 4, 5, 50].map(renderRetryMs)).toEqual(
    [5, 15, 45, 135, 300, 300].map((seconds) => seconds * 1_000),
  );
});
