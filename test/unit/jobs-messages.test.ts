import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/contract/limits.ts";
import { createTurns } from "../../src/platform/turns.ts";
import { messagesFor, renderMessageSchema } from "../../src/queue/render-message.ts";
import { retrySeconds } from "../../src/queue/retry-schedule.ts";

const JOB_ID = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";
const positions = Array.from({ length: LIMITS.sizesPerJobMax }, (_, position) => position);

describe("messages name every output once and stay within the queue's limits", () => {
  it.each(["static", "animated"] as const)("%s", (motion) => {
    const messages = messagesFor(JOB_ID, motion, positions);
    expect(messages.flatMap((message) => message.positions)).toEqual(positions);
    expect(messages.every((message) => renderMessageSchema.safeParse(message).success)).toBe(true);
    // One call to the queue takes 100 messages and 256 KB.
    expect(messages.length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(messages).length).toBeLessThan(60_000);
  });

  it("refuses messages that name nothing, too much or something else", () => {
    for (const body of [
      null,
      {},
      { jobId: JOB_ID, positions: [] },
      { jobId: "x", positions: [0] },
      { jobId: JOB_ID, positions: [-1] },
      { jobId: JOB_ID, positions: [LIMITS.sizesPerJobMax] },
      { jobId: JOB_ID, positions: [0], more: true },
    ]) {
      expect(renderMessageSchema.safeParse(body).success).toBe(false);
    }
  });
});

it("a message that met a fault waits three times as long each time, at most five minutes", () => {
  expect([1, 2, 3, 4, 5, 50].map(retrySeconds)).toEqual([5, 15, 45, 135, 300, 300]);
});

describe("turns are taken one after the other", () => {
  it("never runs two tasks at once, also after one that throws", async () => {
    const turns = createTurns(60_000);
    let running = 0;
    let most = 0;
    const task = async (fails: boolean): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (fails) throw new Error("as planned");
    };
    const ended = await Promise.allSettled([
      turns.take(() => task(false)),
      turns.take(() => task(true)),
      turns.take(() => task(false)),
    ]);
    expect(most).toBe(1);
    expect(ended.map((end) => end.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("goes on without a task that never ends", async () => {
    const turns = createTurns(1);
    void turns.take(() => new Promise<void>(() => undefined));
    expect(await turns.take(async () => "went on")).toBe("went on");
  });
});
