import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { newId } from "#platform/ids.ts";
import { getRenderer } from "#platform/render-engine.ts";
import { execute } from "../support/database.ts";
import {
  acceptedJob,
  type Client,
  eventsOf,
  expectInvariants,
  holdQueue,
  packOf,
  postJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { refusalOf } from "../support/refusals.ts";
import { spyOnWrites } from "../support/write-batches.ts";

/** An order with cached preconditions gets the same answer as an uncached one, whatever has changed since. */

beforeEach(() => {
  holdQueue();
});
/** A workspace right after an accepted job of one credit. */
async function afterOneJob(credits = 20) {
  const client = await workspaceWithLogo({ credits });
  await acceptedJob(client);
  return client;
}

it("another job with the same assets costs one write", async () => {
  const client = await afterOneJob();
  const writes = spyOnWrites();
  const job = await acceptedJob(client);
  expect(writes).toHaveBeenCalledTimes(1);
  expect(env.DB.withSession).toHaveBeenCalledTimes(1);
  expect(await eventsOf(job.jobId)).toEqual([{ type: "consumption", amount: -1, source: "credits" }]);
  await expectInvariants(client.workspaceId);
});

it.each([
  [
    "422 once an asset is deleted",
    [422, "ASSET_UNKNOWN"],
    ({ logoId }: Client) => execute`UPDATE assets SET deleted_at = ${Date.now()} WHERE asset_id = ${logoId}`,
  ],
  [
    "401 once the key is revoked",
    [401, "KEY_REVOKED"],
    ({ workspaceId }: Client) =>
      execute`UPDATE api_keys SET revoked_at = ${Date.now()} WHERE workspace_id = ${workspaceId}`,
  ],
] as const)("another job is %s", async (_, refusal, change) => {
  const client = await afterOneJob();
  await change(client);
  expect(refusalOf(await postJob(client.secret, packOf(client)))).toEqual(refusal);
  await expectInvariants(client.workspaceId);
});

it("another job is 402 once the credits are spent", async () => {
  const client = await afterOneJob(1);
  const answer = await postJob(client.secret, packOf(client));
  expect([answer.status, answer.body.error.details]).toMatchObject([402, { required: 1, available: 0 }]);
  await expectInvariants(client.workspaceId);
});

it.each([
  ["unlimited access once that is granted", { credits: 20 }, 1, "unlimited"],
  ["credits once unlimited access has ended", { unlimited: true, credits: 5 }, 0, "credits"],
] as const)("another job is paid by %s", async (_, access, isUnlimited, source) => {
  const client = await workspaceWithLogo(access);
  await acceptedJob(client);
  await execute`UPDATE workspaces SET has_unlimited_access = ${isUnlimited}
      WHERE workspace_id = ${client.workspaceId}`;
  expect(await eventsOf((await acceptedJob(client)).jobId)).toMatchObject([{ source }]);
});

it("another job is paid by a subscription once one exists", async () => {
  const client = await afterOneJob();
  const now = Date.now();
  await execute`INSERT INTO subscriptions (subscription_id, workspace_id, status, period, quota_limit, quota_used,
      period_start, period_end, created_at)
      VALUES (${newId()}, ${client.workspaceId}, 'active', 'day', 9, 0, ${now}, ${now + 86_400_000}, ${now})`;
  expect(await eventsOf((await acceptedJob(client)).jobId)).toMatchObject([{ source: "subscription" }]);
});

it("a request with the first job's Idempotency-Key is a replay, or a conflict if its body differs", async () => {
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

it.each<[string, () => unknown]>([
  [
    "has characters that no font supports",
    () =>
      vi
        .spyOn(getRenderer(), "characterNeeds")
        .mockResolvedValue({ ok: true, value: { missing: ["H"], libraryFiles: 0 } }),
  ],
  [
    "cannot be checked because the font library is unavailable",
    () => vi.spyOn(getRenderer(), "characterNeeds").mockRejectedValue(new Error("the library is away")),
  ],
])("a replay returns the job unchanged, even if its copy now %s", async (_, loseFonts) => {
  const client = await workspaceWithLogo();
  const key = newId();
  const pack = packOf(client, { copy: { headline: "Hello" } });
  const first = await postJob(client.secret, pack, key);
  expect(first.status).toBe(202);
  loseFonts();
  const again = await postJob(client.secret, pack, key);
  expect([again.status, again.body.data.jobId]).toEqual([200, first.body.data.jobId]);
  expect((await postJob(client.secret, pack)).status).toBeGreaterThanOrEqual(400);
  await expectInvariants(client.workspaceId);
});
