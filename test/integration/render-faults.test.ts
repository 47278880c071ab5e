import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { newId } from "#platform/ids.ts";
import { execute, selectRows, selectValue } from "../support/database.ts";
import { ACKNOWLEDGED, heldJob, SIX_SIZES } from "../support/held-jobs.ts";
import {
  acceptedJob,
  deliver,
  eventsOf,
  expectInvariants,
  failedBy,
  readJob,
  storedFiles,
} from "../support/jobs.ts";
import { makeUnfit } from "../support/unfit-jobs.ts";

describe("faults are retried a limited number of times", () => {
  it("if storage keeps failing, the last attempt fails the job and refunds it", async () => {
    const { client, jobId } = await heldJob();
    const messageId = newId();
    vi.spyOn(env.BUCKET, "put").mockRejectedValue(new Error("storage is away"));
    for (let attempts = 1; attempts <= LIMITS.partAttemptsMax; attempts += 1) {
      expect((await readJob(client.secret, jobId)).failure).toBeNull();
      const result = await deliver({ jobId, part: 0 }, { messageId, attempts });
      expect(result.retryMessages).toMatchObject([{ msgId: messageId }]);
    }
    expect(await readJob(client.secret, jobId)).toMatchObject(failedBy("RENDERING_FAILED"));
    expect(await deliver({ jobId, part: 0 })).toMatchObject(ACKNOWLEDGED);
    await expectInvariants(client.workspaceId);
  });

  /**
   * The same fingerprint promises the same bytes. Without this wait, a job queued under one engine version and drawn
   * under the next would have the first version's fingerprint, and a pack drawn during a deployment would mix both
   * versions.
   */
  it("API §14.3 a job with another engine's fingerprint waits for that engine, or is refunded", async () => {
    const { client, job, jobId } = await heldJob();
    const messageId = newId();
    const setFingerprint = (fingerprint: string) =>
      execute`UPDATE jobs SET render_fingerprint = ${fingerprint} WHERE job_id = ${jobId}`;
    await setFingerprint("0".repeat(64));
    const failures = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const sentBack = await deliver({ jobId, part: 0 }, { messageId });
    expect(sentBack.retryMessages).toMatchObject([{ msgId: messageId }]);
    expect(failures).toHaveBeenCalledWith(expect.stringContaining('"EngineDiffers"'));
    expect(await storedFiles(client.workspaceId, jobId)).toEqual([]);
    await setFingerprint(job.renderFingerprint);
    await deliver({ jobId, part: 0 }, { messageId, attempts: 2 });
    expect((await readJob(client.secret, jobId)).status).toBe("succeeded");

    const other = await acceptedJob(client);
    await execute`UPDATE jobs SET render_fingerprint = ${"0".repeat(64)}
      WHERE job_id = ${other.jobId}`;
    for (let attempts = 1; attempts <= LIMITS.partAttemptsMax; attempts += 1) {
      await deliver({ jobId: other.jobId, part: 0 }, { messageId: "other", attempts });
    }
    expect(await readJob(client.secret, other.jobId)).toMatchObject(failedBy("RENDERING_FAILED"));
    await expectInvariants(client.workspaceId);
  });
});

describe("invalid inputs fail the job at once and refund its cost", () => {
  it("a missing source", async () => {
    const { client, jobId } = await heldJob({ selectedSizeIds: SIX_SIZES });
    const key = await selectValue<string>`SELECT object_key FROM assets
      WHERE asset_id = ${client.logoId}`;
    await env.BUCKET.delete(key ?? "");
    expect(await deliver({ jobId, part: 0 })).toMatchObject(ACKNOWLEDGED);
    expect(await readJob(client.secret, jobId)).toMatchObject({
      status: "failed",
      artifactId: null,
      failure: { code: "ASSET_UNAVAILABLE", refunded: true },
    });
    expect(await deliver({ jobId, part: 1 })).toMatchObject(ACKNOWLEDGED);
    expect(await eventsOf(jobId)).toEqual([
      { type: "consumption", amount: -6, source: "credits" },
      { type: "refund", amount: 6, source: "credits" },
    ]);
    const results =
      await selectRows`SELECT part, lease_id, files, outputs_done FROM job_parts WHERE job_id = ${jobId}`;
    expect(results).toEqual([{ part: 0, lease_id: null, files: null, outputs_done: 0 }]);
    await expectInvariants(client.workspaceId);
  });

  it("a source that has changed since the order", async () => {
    const { client, jobId } = await heldJob();
    const key = await selectValue<string>`SELECT object_key FROM assets
      WHERE asset_id = ${client.logoId}`;
    await env.BUCKET.put(key ?? "", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    await deliver({ jobId, part: 0 });
    expect((await readJob(client.secret, jobId)).failure?.code).toBe("ASSET_UNAVAILABLE");
  });

  it("a headline that does not fit, whose failure names the size", async () => {
    const { client, jobId } = await heldJob({ selectedSizeIds: ["iab-120x60", "iab-320x50"] });
    await makeUnfit(jobId);
    await deliver({ jobId, part: 0 });
    const ended = await readJob(client.secret, jobId);
    expect(ended).toMatchObject(failedBy("HEADLINE_DOES_NOT_FIT"));
    expect(ended.failure?.message).toMatch(/^iab-/);
    await expectInvariants(client.workspaceId);
  });
});
