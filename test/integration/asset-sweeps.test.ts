import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { assetSchema } from "#api/schemas/asset.ts";
import type { UploadIntentBody } from "#api/schemas/upload.ts";
import {
  deleteAssetBytes,
  deleteAssetsOfEndedWorkspaces,
  expireUploads,
} from "#domains/assets/retention-sweeps.ts";
import { clock } from "#platform/clock.ts";
import { logoFile, mediaFile } from "../support/asset-files.ts";
import {
  complete,
  createIntent,
  errorOf,
  resourceOf,
  send,
  sendBytes,
  uploadAsset,
} from "../support/assets.ts";
import { selectValue } from "../support/database.ts";
import { acceptedJob, cancel, holdQueue, workspaceWithLogo } from "../support/jobs.ts";
import { createWorkspace } from "../support/workspace.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ROWS = 1_000;

const objectsOf = async (workspaceId: string, assetId: string): Promise<number> =>
  (await env.BUCKET.list({ prefix: `workspaces/${workspaceId}/assets/${assetId}` })).objects.length;

const remove = (secret: string, assetId: string) => send(secret, "DELETE", `/api/v1/assets/${assetId}`);

describe("expired uploads", () => {
  it("are swept: their assets are rejected and their bytes deleted; completed uploads stay", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    const intent = await createIntent(secret, mediaFile);
    await sendBytes(secret, intent, mediaFile.bytes);
    const ready = await uploadAsset(secret, logoFile);
    const expiresAtMs = Date.parse(intent.expiresAt);

    await expireUploads(env.DB, expiresAtMs + 5 * MINUTE_MS - 1, ROWS);
    const read = () => send(secret, "GET", `/api/v1/assets/${intent.assetId}`);
    expect(await resourceOf(await read(), 200, assetSchema)).toMatchObject({ status: "processing" });

    const afterwardsMs = expiresAtMs + 5 * MINUTE_MS;
    await expireUploads(env.DB, afterwardsMs, ROWS);
    await expireUploads(env.DB, afterwardsMs, ROWS);
    expect(await resourceOf(await read(), 200, assetSchema)).toMatchObject({
      status: "rejected",
      rejection: { code: "UPLOAD_EXPIRED" },
    });
    expect((await errorOf(await complete(secret, intent), 409)).code).toBe("UPLOAD_EXPIRED");
    await deleteAssetBytes(env.DB, env.BUCKET, afterwardsMs, ROWS);
    expect(await objectsOf(workspaceId, intent.assetId)).toBe(0);
    expect(await objectsOf(workspaceId, ready)).toBe(1);
  });

  it("are handled up to the limit, oldest first", async () => {
    const { secret } = await createWorkspace({});
    // Older than other tests' rows.
    const intents: UploadIntentBody[] = [];
    for (const createdAtMs of [1_000, 2_000]) {
      const created = vi.spyOn(clock, "now").mockReturnValue(createdAtMs);
      intents.push(await createIntent(secret, logoFile).finally(() => created.mockRestore()));
    }
    const statuses = async () => {
      const { results } = await env.DB.prepare(
        "SELECT status FROM uploads WHERE upload_id IN (SELECT value FROM json_each(?)) ORDER BY expires_at",
      )
        .bind(JSON.stringify(intents.map(({ uploadId }) => uploadId)))
        .all<{ status: string }>();
      return results.map(({ status }) => status);
    };
    const laterMs = DAY_MS;
    expect(await expireUploads(env.DB, laterMs, 1)).toBe(1);
    expect(await statuses()).toEqual(["expired", "pending"]);
    expect(await expireUploads(env.DB, laterMs, ROWS)).toBe(1);
    expect(await statuses()).toEqual(["expired", "expired"]);
    expect(await expireUploads(env.DB, laterMs, ROWS)).toBe(0);
  });
});

describe("API §16.2 bytes of a deleted asset", () => {
  it("stay a day, then are deleted with everything under the asset's prefix", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    const assetId = await uploadAsset(secret, mediaFile);
    await env.BUCKET.put(`workspaces/${workspaceId}/assets/${assetId}/left-behind`, "bytes");
    const nowMs = Date.now();
    await remove(secret, assetId);
    await deleteAssetBytes(env.DB, env.BUCKET, nowMs + DAY_MS - MINUTE_MS, ROWS);
    expect(await objectsOf(workspaceId, assetId)).toBe(2);
    await deleteAssetBytes(env.DB, env.BUCKET, nowMs + DAY_MS + MINUTE_MS, ROWS);
    expect(await objectsOf(workspaceId, assetId)).toBe(0);
  });

  it("stay while an open job uses them, and are deleted once it has ended", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const job = await acceptedJob(client);
    await remove(client.secret, client.logoId);
    const laterMs = Date.now() + 2 * DAY_MS;
    await deleteAssetBytes(env.DB, env.BUCKET, laterMs, ROWS);
    expect(await objectsOf(client.workspaceId, client.logoId)).toBe(1);
    expect((await cancel(client.secret, job.jobId)).status).toBe(200);
    await deleteAssetBytes(env.DB, env.BUCKET, laterMs, ROWS);
    expect(await objectsOf(client.workspaceId, client.logoId)).toBe(0);
  });

  it("are retried after a storage failure, which does not stop the others", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    const assetIds = [await uploadAsset(secret, logoFile), await uploadAsset(secret, logoFile)];
    for (const assetId of assetIds) await remove(secret, assetId);
    const stored = async () =>
      (await Promise.all(assetIds.map((assetId) => objectsOf(workspaceId, assetId)))).reduce((a, b) => a + b);
    const laterMs = Date.now() + 2 * DAY_MS;
    const broken = vi.spyOn(env.BUCKET, "delete").mockRejectedValueOnce(new Error("the store is down"));
    await deleteAssetBytes(env.DB, env.BUCKET, laterMs, ROWS).finally(() => broken.mockRestore());
    expect(await stored()).toBe(1);
    await deleteAssetBytes(env.DB, env.BUCKET, laterMs, ROWS);
    expect(await stored()).toBe(0);
  });
});

it("assets of an expired workspace are deleted a day later, and no other assets", async () => {
  const [ended, living] = await Promise.all([createWorkspace({}), createWorkspace({})]);
  const theirs = await uploadAsset(ended.secret, logoFile);
  const kept = await uploadAsset(living.secret, logoFile);
  const nowMs = Date.now();
  const end = env.DB.prepare("UPDATE workspaces SET kind = 'trial', expires_at = ?2 WHERE workspace_id = ?1");
  await end.bind(ended.workspaceId, nowMs).run();
  await deleteAssetsOfEndedWorkspaces(env.DB, nowMs + DAY_MS - 1, ROWS);
  const deletedAt = (assetId: string) =>
    selectValue`SELECT deleted_at FROM assets WHERE asset_id = ${assetId}`;
  expect(await deletedAt(theirs)).toBeNull();
  await deleteAssetsOfEndedWorkspaces(env.DB, nowMs + DAY_MS, ROWS);
  expect(await deletedAt(theirs)).not.toBeNull();
  expect(await deletedAt(kept)).toBeNull();
  await deleteAssetBytes(env.DB, env.BUCKET, nowMs + DAY_MS + MINUTE_MS, ROWS);
  expect(await objectsOf(ended.workspaceId, theirs)).toBe(0);
  expect(await objectsOf(living.workspaceId, kept)).toBe(1);
});
