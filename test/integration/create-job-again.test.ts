import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import {
  acceptedJob,
  eventsOf,
  expectInvariants,
  holdQueue,
  packOf,
  postJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { refusalOf } from "../support/refusals.ts";
import { spyOnWrites } from "../support/write-batches.ts";

/**
 * Guarantee: a job over assets that were used a moment ago is decided as if everything had been read for it, whatever
 * has changed since.
 */

beforeEach(() => {
  holdQueue();
});
const run = (sql: string, ...values: readonly (string | number)[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** A workspace that has just made a job of one credit. */
async function afterOneJob(credits = 20) {
  const client = await workspaceWithLogo({ credits });
  await acceptedJob(client);
  return client;
}

describe("a second job over the same assets", () => {
  it("is one write, and another one than the first", async () => {
    const client = await afterOneJob();
    const writes = spyOnWrites();
    const job = await acceptedJob(client);
    expect(writes).toHaveBeenCalledTimes(1);
    expect(env.DB.withSession).toHaveBeenCalledTimes(1);
    expect(await eventsOf(job.jobId)).toEqual([{ type: "consumption", amount: -1, source: "credits" }]);
    await expectInvariants(client.workspaceId);
  });

  it("is 422 once an asset is deleted", async () => {
    const client = await afterOneJob();
    await run("UPDATE assets SET deleted_at = ?1 WHERE asset_id = ?2", Date.now(), client.logoId);
    expect(refusalOf(await postJob(client.secret, packOf(client)))).toEqual([422, "ASSET_UNKNOWN"]);
  });

  it("is 401 once the key is revoked", async () => {
    const client = await afterOneJob();
    await run("UPDATE api_keys SET revoked_at = ?1 WHERE workspace_id = ?2", Date.now(), client.workspaceId);
    expect(refusalOf(await postJob(client.secret, packOf(client)))).toEqual([401, "KEY_REVOKED"]);
    await expectInvariants(client.workspaceId);
  });

  it("is 402 once the credits are spent", async () => {
    const client = await afterOneJob(1);
    const answer = await postJob(client.secret, packOf(client));
    expect([answer.status, answer.body.error.details]).toMatchObject([402, { required: 1, available: 0 }]);
    await expectInvariants(client.workspaceId);
  });

  it("is paid by unlimited access once that is granted", async () => {
    const client = await afterOneJob();
    await run("UPDATE workspaces SET has_unlimited_access = 1 WHERE workspace_id = ?1", client.workspaceId);
    const job = await acceptedJob(client);
    expect(await eventsOf(job.jobId)).toMatchObject([{ source: "unlimited" }]);
  });

  it("is paid by credits once unlimited access has ended", async () => {
    const client = await workspaceWithLogo({ unlimited: true, credits: 5 });
    await acceptedJob(client);
    await run("UPDATE workspaces SET has_unlimited_access = 0 WHERE workspace_id = ?1", client.workspaceId);
    const job = await acceptedJob(client);
    expect(await eventsOf(job.jobId)).toMatchObject([{ source: "credits" }]);
  });

  it("is paid by a subscription once there is one", async () => {
    const client = await afterOneJob();
    const now = Date.now();
    await run(
      `INSERT INTO subscriptions (subscription_id, workspace_id, status, period, quota_limit, quota_used,
         period_start, period_end, created_at) VALUES (?1, ?2, 'active', 'day', 9, 0, ?3, ?4, ?3)`,
      newId(),
      client.workspaceId,
      now,
      now + 86_400_000,
    );
    const job = await acceptedJob(client);
    expect(await eventsOf(job.jobId)).toMatchObject([{ source: "subscription" }]);
  });

  it("under the first one's Idempotency-Key is the first one, and with another body a conflict", async () => {
    const client = await workspaceWithLogo();
    const key = newId();
    const first = await postJob(client.secret, packOf(client), key);
    await acceptedJob(client);
    const again = await postJob(client.secret, packOf(client), key);
    expect([again.status, again.body.data.jobId]).toEqual([200, first.body.data.jobId]);
    await acceptedJob(client);
    const other = await postJob(client.secret, packOf(client, { outputFormat: "webp" }), key);
    expect(refusalOf(other)).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    await expectInvariants(client.workspaceId);
  });
});
