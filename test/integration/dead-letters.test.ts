import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { claimPart } from "#domains/jobs/part-store.ts";
import { clock } from "#platform/clock.ts";
import { leaseHolder } from "#platform/db/lease.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import worker from "../../src/worker.ts";
import { execute } from "../support/database.ts";
import { heldJob, SIX_SIZES } from "../support/held-jobs.ts";
import {
  deliver,
  deliverDeadLetter,
  endedJob,
  eventsOf,
  exhaust,
  expectInvariants,
  failByDeadLetter,
  failedBy,
  readJob,
} from "../support/jobs.ts";

/** The job has four sizes in part 0 and two in part 1. */
const TWO_PARTS = { selectedSizeIds: SIX_SIZES };

describe("a dead letter that has used all attempts fails and refunds its job", () => {
  it("only once, even if it arrives repeatedly", async () => {
    const { client, jobId } = await heldJob({}, { credits: 5 });
    for (let time = 0; time < 2; time += 1) {
      expect((await failByDeadLetter({ jobId, part: 0 })).retryMessages).toEqual([]);
    }
    expect(await readJob(client.secret, jobId)).toMatchObject(failedBy("RENDERING_FAILED"));
    expect(await eventsOf(jobId)).toEqual([
      { type: "consumption", amount: -1, source: "credits" },
      { type: "refund", amount: 1, source: "credits" },
    ]);
    await expectInvariants(client.workspaceId);
  });

  it("even if the job is partly drawn; later messages have no effect", async () => {
    const { client, jobId } = await heldJob(TWO_PARTS);
    await deliver({ jobId, part: 0 });
    await failByDeadLetter({ jobId, part: 1 });
    await deliver({ jobId, part: 1 });
    expect((await readJob(client.secret, jobId)).status).toBe("failed");
    await expectInvariants(client.workspaceId);
  });

  it("unless its part has been drawn", async () => {
    const { client, jobId } = await heldJob(TWO_PARTS);
    await deliver({ jobId, part: 0 });
    await failByDeadLetter({ jobId, part: 0 });
    expect((await readJob(client.secret, jobId)).status).toBe("running");
    await deliver({ jobId, part: 1 });
    for (const part of [0, 1]) await failByDeadLetter({ jobId, part });
    expect((await readJob(client.secret, jobId)).status).toBe("succeeded");
    await expectInvariants(client.workspaceId);
  });
});

describe("a dead letter after an outage", () => {
  it("fails no job: the sweep resends the job, and it is drawn", async () => {
    const { client, jobId } = await heldJob();
    // The database fails for all deliveries of the message, so none counts as an attempt.
    vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("the database is away"));
    expect((await deliver({ jobId, part: 0 })).retryMessages).toHaveLength(1);
    await execute`UPDATE jobs SET dispatched_at = created_at WHERE job_id = ${jobId}`;
    const logged = vi.spyOn(log, "failure").mockReturnValue();
    for (let time = 0; time < 2; time += 1) {
      expect((await deliverDeadLetter({ jobId, part: 0 })).retryMessages).toEqual([]);
    }
    expect(logged.mock.calls).toContainEqual([{ event: "dead_letter_pending", jobId }]);
    expect((await readJob(client.secret, jobId)).status).toBe("queued");
    expect(await eventsOf(jobId)).toHaveLength(1);
    vi.restoreAllMocks();
    vi.spyOn(clock, "now").mockReturnValue(Date.now() + 31_000);
    await worker.scheduled({} as ScheduledController, env);
    vi.restoreAllMocks();
    expect((await endedJob(client.secret, jobId)).status).toBe("succeeded");
    await expectInvariants(client.workspaceId);
  });

  it("does not affect outputs that another message is drawing", async () => {
    const { client, jobId } = await heldJob();
    const holder = leaseHolder("another", "1");
    await claimPart(env.DB, { jobId, part: 0 }, holder, clock.now());
    await exhaust(jobId, 0);
    await deliverDeadLetter({ jobId, part: 0 });
    expect((await readJob(client.secret, jobId)).status).toBe("running");
    expect(await eventsOf(jobId)).toHaveLength(1);
    await deliver({ jobId, part: 0 }, { messageId: "another" });
  });
});

describe("messages of the dead-letter queue", () => {
  it("are acknowledged if they name no existing job", async () => {
    for (const body of [null, { jobId: newId(), part: 0 }]) {
      expect((await deliverDeadLetter(body)).retryMessages).toEqual([]);
    }
  });

  it("are retried when the database is unavailable", async () => {
    const { client, jobId } = await heldJob();
    const away = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("the database is away"));
    expect((await failByDeadLetter({ jobId, part: 0 })).retryMessages).toHaveLength(1);
    away.mockRestore();
    await failByDeadLetter({ jobId, part: 0 });
    expect((await readJob(client.secret, jobId)).status).toBe("failed");
  });
});
