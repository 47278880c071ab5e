import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { consume } from "#interface/queue/consume.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import worker from "../../src/worker.ts";
import { execute, selectRows } from "../support/database.ts";
import { ACKNOWLEDGED, heldJob, SIX_SIZES } from "../support/held-jobs.ts";
import { acceptedJob, deliver, endedJob, expectInvariants, readJob } from "../support/jobs.ts";

describe("messages may be repeated, late, concurrent and in any order", () => {
  it("two messages in reverse order make one pack of all sizes", async () => {
    const { client, jobId } = await heldJob({ selectedSizeIds: SIX_SIZES });
    await deliver({ jobId, part: 1 });
    expect(await readJob(client.secret, jobId)).toMatchObject({
      status: "running",
      progress: { total: 6, completed: 2 },
      artifactId: null,
    });
    await deliver({ jobId, part: 0 });
    expect(await readJob(client.secret, jobId)).toMatchObject({
      status: "succeeded",
      progress: { total: 6, completed: 6 },
    });
    const sizeIds = await selectRows<{ sizeId: string }>`SELECT value ->> '$.sizeId' AS sizeId
      FROM artifacts, json_each(files) WHERE job_id = ${jobId} ORDER BY key`;
    expect(sizeIds.map((file) => file.sizeId)).toEqual(SIX_SIZES);
    await expectInvariants(client.workspaceId);
  });

  it("an output drawn again has the same bytes, whatever part it is in", async () => {
    const { client, job, jobId } = await heldJob({ selectedSizeIds: SIX_SIZES });
    for (const part of [0, 1]) await deliver({ jobId, part });
    const again = await acceptedJob(client, { selectedSizeIds: [...SIX_SIZES].reverse() });
    for (const part of [1, 0]) await deliver({ jobId: again.jobId, part });
    expect(again.renderFingerprint).toBe(job.renderFingerprint);
    const hashesOf = async (jobId: string) => {
      const results = await selectRows`SELECT value ->> '$.sha256' AS sha256
        FROM artifacts, json_each(files) WHERE job_id = ${jobId} ORDER BY value ->> '$.fileName'`;
      return results;
    };
    expect(await hashesOf(again.jobId)).toHaveLength(6);
    expect(await hashesOf(again.jobId)).toEqual(await hashesOf(jobId));
  });
});

describe("a crashed attempt is followed by another attempt", () => {
  it("two minutes after it last renewed its lease; an attempt that merely waits keeps its lease", async () => {
    const { client, jobId } = await heldJob();
    const startMs = Date.now();
    const now = vi.spyOn(clock, "now").mockReturnValue(startMs);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const get = env.BUCKET.get.bind(env.BUCKET);
    let release = (): void => undefined;
    const hung = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reads = vi.spyOn(env.BUCKET, "get").mockImplementationOnce(async (key) => {
      await hung;
      return get(key);
    });
    const message = { jobId, part: 0 };
    const hanging = deliver(message);
    await vi.waitFor(() => expect(reads).toHaveBeenCalled());
    const holder = async () =>
      (await selectRows`SELECT lease_until FROM job_parts WHERE job_id = ${jobId}`)[0];
    for (const minutes of [1, 2, 3]) {
      now.mockReturnValue(startMs + minutes * 60_000);
      await vi.advanceTimersByTimeAsync(60_000);
      await vi.waitFor(async () =>
        expect(await holder()).toEqual({ lease_until: startMs + (minutes + 2) * 60_000 }),
      );
    }
    vi.clearAllTimers();
    now.mockReturnValue(startMs + 5 * 60_000 - 1);
    await deliver(message);
    expect((await readJob(client.secret, jobId)).status).toBe("running");
    now.mockReturnValue(startMs + 5 * 60_000);
    const taken = deliver(message);
    release();
    await Promise.all([taken, hanging]);
    expect((await readJob(client.secret, jobId)).status).toBe("succeeded");
    await expectInvariants(client.workspaceId);
    vi.useRealTimers();
  });
});

it("a message of an older version, which names outputs, makes the sweep resend its job", async () => {
  const { client, jobId } = await heldJob();
  await execute`UPDATE jobs SET dispatched_at = created_at WHERE job_id = ${jobId}`;
  expect(await deliver({ jobId, positions: [0] })).toMatchObject(ACKNOWLEDGED);
  vi.restoreAllMocks();
  vi.spyOn(clock, "now").mockReturnValue(Date.now() + 31_000);
  await worker.scheduled({} as ScheduledController, env);
  vi.restoreAllMocks();
  expect((await endedJob(client.secret, jobId)).status).toBe("succeeded");
  await expectInvariants(client.workspaceId);
});

describe("invalid messages have no effect", () => {
  it.each([
    null,
    "draw",
    { jobId: "x", part: 0 },
    { jobId: newId(), part: -1 },
    { jobId: newId(), positions: [0] },
    { jobId: newId(), part: 0 },
  ])("%j is acknowledged", async (body) => {
    expect(await deliver(body)).toMatchObject(ACKNOWLEDGED);
  });

  it("an origin without a database or storage retries everything", async () => {
    const batch = createMessageBatch("creative-packs-render", [
      { id: newId(), timestamp: new Date(), attempts: 1, body: { jobId: newId(), part: 0 } },
    ]);
    await consume(batch, readCapabilities({}));
    const { retryMessages, explicitAcks } = await getQueueResult(batch, createExecutionContext());
    expect([retryMessages.length, explicitAcks]).toEqual([1, []]);
  });
});
