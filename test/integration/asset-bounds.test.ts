import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { deleteAssetBytes, deleteDeadAssets } from "#domains/assets/retention-sweeps.ts";
import { newId } from "#platform/ids.ts";
import { logoFile } from "../support/asset-files.ts";
import { createIntent, errorOf, intentOf, post, send, uploadAsset } from "../support/assets.ts";
import { countRows, execute, selectRows, selectValue } from "../support/database.ts";
import { createWorkspace } from "../support/workspace.ts";

const INTENTS = "/api/v1/assets/uploads";
const DAY_MS = 24 * 60 * 60_000;
const ROWS = 1_000;

describe("API §8.10 assets", () => {
  it("that were deleted or rejected lose their rows once their bytes are deleted and no replay needs them", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    const [kept, deleted] = [await uploadAsset(secret, logoFile), await uploadAsset(secret, logoFile)];
    await createIntent(secret, logoFile);
    await send(secret, "DELETE", `/api/v1/assets/${deleted}`);
    await execute`UPDATE assets SET status = 'rejected'
      WHERE workspace_id = ${workspaceId} AND status = 'processing'`;
    const nowMs = Date.now();
    const laterMs = nowMs + LIMITS.deadAssetRetentionMs + DAY_MS;
    // The deleted asset still has bytes; the rejected one has none.
    await deleteDeadAssets(env.DB, laterMs, ROWS);
    expect(await countRows("assets", workspaceId)).toBe(2);
    await deleteAssetBytes(env.DB, env.BUCKET, laterMs, ROWS);
    await deleteDeadAssets(env.DB, nowMs + LIMITS.deadAssetRetentionMs - DAY_MS, ROWS);
    expect(await countRows("assets", workspaceId)).toBe(2);
    await deleteDeadAssets(env.DB, laterMs, ROWS);
    expect([await countRows("assets", workspaceId), await countRows("uploads", workspaceId)]).toEqual([1, 1]);
    expect((await send(secret, "GET", `/api/v1/assets/${kept}`)).status).toBe(200);
    expect(LIMITS.deadAssetRetentionMs).toBeGreaterThan(LIMITS.idempotencyRetentionMs);
  });

  it("that are repeatedly created and deleted reach the limit, because deleted ones count until their rows are gone", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    await execute`INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key,
         created_at, deleted_at)
       SELECT value, ${workspaceId}, 'logo', 'ready', 'a', 'image/png', 1, '', key, 1 FROM json_each(${JSON.stringify(Array.from({ length: LIMITS.assetRowsPerWorkspaceMax.unpaid }, newId))})`;
    const refused = await post(secret, INTENTS, intentOf(logoFile));
    expect((await errorOf(refused, 409)).code).toBe("ASSET_LIMIT_REACHED");
    await deleteDeadAssets(env.DB, Date.now(), 1);
    await deleteDeadAssets(env.DB, Date.now(), ROWS);
    expect((await post(secret, INTENTS, intentOf(logoFile))).status).toBe(201);
  });

  it.each([
    ["never paid for anything", {}, null],
    ["is a trial", { credits: 5 }, "trial"],
  ])(
    "of a workspace that %s have a limited total size, including deleted ones until their bytes are gone",
    async (_, access, kind) => {
      const { secret, workspaceId } = await createWorkspace(access);
      if (kind !== null) {
        await execute`UPDATE workspaces
          SET kind = 'trial', expires_at = ${Date.now() + 3_600_000} WHERE workspace_id = ${workspaceId}`;
      }
      const insert = env.DB.prepare(
        `INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key,
         created_at, deleted_at) VALUES (?1, ?2, 'media', 'ready', 'a', 'image/png', CAST(?3 AS INTEGER), ?1, ?4, ?5)`,
      );
      const room = LIMITS.assetBytesUnpaidMax - logoFile.bytes.byteLength;
      const deleted = newId();
      await insert.bind(deleted, workspaceId, 2, 1, 2).run();
      await insert.bind(newId(), workspaceId, room - 1, 3, null).run();
      const refused = await errorOf(await post(secret, INTENTS, intentOf(logoFile)), 409);
      expect([refused.code, refused.message]).toEqual([
        "ASSET_LIMIT_REACHED",
        expect.stringContaining("500 MiB"),
      ]);
      // Once the deleted asset's bytes are gone, there is room for one more asset.
      await execute`UPDATE assets SET object_key = '' WHERE asset_id = ${deleted}`;
      expect((await post(secret, INTENTS, intentOf(logoFile))).status).toBe(201);
      expect((await post(secret, INTENTS, intentOf(logoFile))).status).toBe(409);
    },
  );

  it("of a paying workspace have no total limit", async () => {
    const { secret, workspaceId } = await createWorkspace({ credits: 1 });
    await env.DB.prepare(
      `INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key,
         created_at) VALUES (?1, ?2, 'media', 'ready', 'a', 'image/png', CAST(?3 AS INTEGER), ?1, 1)`,
    )
      .bind(newId(), workspaceId, 10 * LIMITS.assetBytesUnpaidMax)
      .run();
    expect((await post(secret, INTENTS, intentOf(logoFile))).status).toBe(201);
  });

  it("are swept in turn by workspace, even if one workspace has many that have been due for longer", async () => {
    const [them, us] = [await createWorkspace({}), await createWorkspace({})];
    const insert = env.DB.prepare(
      `INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key,
         created_at, purge_after)
       SELECT value, ?2, 'logo', 'rejected', 'a', 'image/png', 1, value, key, ?3 FROM json_each(?1)`,
    );
    const [ours] = [newId()];
    await insert.bind(JSON.stringify(Array.from({ length: 50 }, newId)), them.workspaceId, 1).run();
    await insert.bind(JSON.stringify([ours]), us.workspaceId, 2).run();
    const results = await selectRows<{
      count: number;
    }>`SELECT COUNT(DISTINCT workspace_id) AS count FROM assets WHERE purge_after <= 3`;
    expect(await deleteAssetBytes(env.DB, env.BUCKET, 3, results[0]?.count ?? 0)).toBe(results[0]?.count);
    expect(await selectValue`SELECT purge_after FROM assets WHERE asset_id = ${ours}`).toBeNull();
    await deleteAssetBytes(env.DB, env.BUCKET, 3, ROWS);
  });
});
