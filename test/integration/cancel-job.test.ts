import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { claimOutputs, leaseOf } from "../../src/jobs/claim-outputs.ts";
import { clock } from "../../src/platform/clock.ts";
import { newId } from "../../src/platform/ids.ts";
import {
  acceptedJob,
  cancel,
  deliver,
  deliverDead,
  eventsOf,
  expectInvariants,
  holdQueue,
  jobIn,
  readJob,
  storedFiles,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { createWorkspace } from "../support/workspace.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const claim = (jobId: string) => {
  const messageId = newId();
  return claimOutputs(env.DB, jobId, [0], { messageId, leaseId: leaseOf(messageId, newId()) }, clock.now());
};

describe("cancelling gives the cost back exactly once, and only while nothing is drawn", () => {
  it.each(["credits", "subscription", "unlimited"] as const)("queued, paid by %s", async (source) => {
    holdQueue();
    const client = await workspaceWithLogo(
      source === "credits" ? { credits: 5 } : source === "subscription" ? { quota: 5 } : { unlimited: true },
    );
    const { jobId } = await acceptedJob(client);
    for (let time = 0; time < 2; time += 1) {
      const answer = await cancel(client.secret, jobId);
      expect(answer.status).toBe(200);
      expect(jobIn(answer)).toMatchObject({ status: "canceled", artifactId: null, failure: null });
    }
    expect(await eventsOf(jobId)).toEqual([
      { type: "consumption", amount: -1, source },
      { type: "refund", amount: 1, source },
    ]);
    await expectInvariants(client.workspaceId);
  });

  it("running: 409, and nothing changes", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client);
    expect(await claim(jobId)).toHaveLength(1);
    const answer = await cancel(client.secret, jobId);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ error: { code: "JOB_RUNNING" } });
    expect((await readJob(client.secret, jobId)).status).toBe("running");
    expect(await eventsOf(jobId)).toHaveLength(1);
  });

  /** Mechanism: the refund of a cancel's batch hung on the job's status alone, whoever asked and whatever had ended it. */
  it("failed, or cancelled in another workspace: a cancel writes no refund, also where one is missing", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const stranger = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client);
    for (const [status, secret, expected] of [
      ["failed", client.secret, 200],
      ["failed", stranger.secret, 404],
      ["canceled", stranger.secret, 404],
    ] as const) {
      await env.DB.prepare("UPDATE jobs SET status = ?2 WHERE job_id = ?1").bind(jobId, status).run();
      expect((await cancel(secret, jobId)).status).toBe(expected);
      expect(await eventsOf(jobId)).toHaveLength(1);
    }
  });

  it("succeeded and failed: 200 as they are, without a second refund", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const done = await acceptedJob(client);
    await deliver({ jobId: done.jobId, positions: [0] });
    expect(jobIn(await cancel(client.secret, done.jobId)).status).toBe("succeeded");
    expect(await eventsOf(done.jobId)).toHaveLength(1);

    const failed = await acceptedJob(client);
    await deliverDead({ jobId: failed.jobId, positions: [0] });
    expect(jobIn(await cancel(client.secret, failed.jobId)).status).toBe("failed");
    expect(await eventsOf(failed.jobId)).toHaveLength(2);
    await expectInvariants(client.workspaceId);
  });

  it("a cancelled job is never drawn, whatever messages still come", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const { jobId } = await acceptedJob(client);
    await cancel(client.secret, jobId);
    const result = await deliver({ jobId, positions: [0] });
    expect(result.retryMessages).toEqual([]);
    expect((await readJob(client.secret, jobId)).status).toBe("canceled");
    expect(await storedFiles(client.workspaceId, jobId)).toEqual([]);
  });

  it("against a claim at the same moment, exactly one wins", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    for (let round = 0; round < 10; round += 1) {
      const { jobId } = await acceptedJob(client);
      const [answer, claimed] =
        round % 2 === 0
          ? await Promise.all([cancel(client.secret, jobId), claim(jobId)])
          : await Promise.all([claim(jobId), cancel(client.secret, jobId)]).then(
              ([outputs, canceled]) => [canceled, outputs] as const,
            );
      const { status } = await readJob(client.secret, jobId);
      expect([answer.status, claimed.length, status]).toEqual(
        claimed.length === 1 ? [409, 1, "running"] : [200, 0, "canceled"],
      );
    }
    await expectInvariants(client.workspaceId);
  });

  it("404 for a foreign job reads exactly like 404 for none, and leaves it queued", async () => {
    holdQueue();
    const owner = await workspaceWithLogo();
    const { jobId } = await acceptedJob(owner);
    const other = await createWorkspace({ credits: 1 });
    const foreign = await cancel(other.secret, jobId);
    const missing = await cancel(other.secret, newId());
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    expect((foreign.body as { error: { message: string } }).error.message).toBe(
      (missing.body as { error: { message: string } }).error.message,
    );
    expect((await readJob(owner.secret, jobId)).status).toBe("queued");
  });
});
