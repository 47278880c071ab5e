import { env } from "cloudflare:workers";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { forgetDeadAssets, purgeAssets } from "../../src/assets/sweeps.ts";
import { DELIVERY_LIMITS } from "../../src/contract/deliveries.ts";
import { LIMITS } from "../../src/contract/limits.ts";
import { forgetRemovedDestinations } from "../../src/deliveries/removed-destinations.ts";
import { forgetDeadKeys } from "../../src/keys/forget-dead-keys.ts";
import { newId } from "../../src/platform/ids.ts";
import { callAs } from "../support/accounts.ts";
import { logoFile } from "../support/asset-files.ts";
import { createIntent, errorOf, intentOf, post, send, uploadAsset } from "../support/assets.ts";
import {
  closeDeliveries,
  HOOK_URL,
  holdDeliveryQueue,
  inWorkspace,
  saved,
  senderWithPack,
  started,
} from "../support/deliveries.ts";
import { call, createWorkspace } from "../support/workspace.ts";

/** Guarantee: what is made and thrown away again is forgotten after a while, and bounded until then. */

afterAll(closeDeliveries);
afterEach(() => {
  vi.restoreAllMocks();
});

const INTENTS = "/api/v1/assets/uploads";
const DAY_MS = 24 * 60 * 60_000;
const ROWS = 1_000;

const rowsOf = async (table: "assets" | "uploads" | "destinations" | "api_keys", workspaceId: string) =>
  env.DB.prepare(`SELECT COUNT(*) AS count FROM ${table} WHERE workspace_id = ?1`)
    .bind(workspaceId)
    .first<number>("count");

describe("assets", () => {
  it("that were deleted or rejected are forgotten once their bytes are gone and no replay names them", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    const [kept, deleted] = [await uploadAsset(secret, logoFile), await uploadAsset(secret, logoFile)];
    await createIntent(secret, logoFile);
    await send(secret, "DELETE", `/api/v1/assets/${deleted}`);
    await env.DB.prepare(
      "UPDATE assets SET status = 'rejected' WHERE workspace_id = ?1 AND status = 'processing'",
    )
      .bind(workspaceId)
      .run();
    const nowMs = Date.now();
    const laterMs = nowMs + LIMITS.deadAssetRetentionMs + DAY_MS;
    // The rejected one has no bytes to wait for; the deleted one has.
    await forgetDeadAssets(env.DB, laterMs, ROWS);
    expect(await rowsOf("assets", workspaceId)).toBe(2);
    await purgeAssets(env.DB, env.BUCKET, laterMs, ROWS);
    await forgetDeadAssets(env.DB, nowMs + LIMITS.deadAssetRetentionMs - DAY_MS, ROWS);
    expect(await rowsOf("assets", workspaceId)).toBe(2);
    await forgetDeadAssets(env.DB, laterMs, ROWS);
    expect([await rowsOf("assets", workspaceId), await rowsOf("uploads", workspaceId)]).toEqual([1, 1]);
    expect((await send(secret, "GET", `/api/v1/assets/${kept}`)).status).toBe(200);
    expect(LIMITS.deadAssetRetentionMs).toBeGreaterThan(LIMITS.idempotencyRetentionMs);
  });

  it("that are made and deleted again come to an end: the dead count until they are forgotten", async () => {
    const { secret, workspaceId } = await createWorkspace({});
    await env.DB.prepare(
      `INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key,
         created_at, deleted_at)
       SELECT value, ?2, 'logo', 'ready', 'a', 'image/png', 1, '', key, 1 FROM json_each(?1)`,
    )
      .bind(
        JSON.stringify(Array.from({ length: LIMITS.assetRowsPerWorkspaceMax.unpaid }, newId)),
        workspaceId,
      )
      .run();
    const refused = await post(secret, INTENTS, intentOf(logoFile));
    expect((await errorOf(refused, 409)).code).toBe("ASSET_LIMIT_REACHED");
    await forgetDeadAssets(env.DB, Date.now(), 1);
    await forgetDeadAssets(env.DB, Date.now(), ROWS);
    expect((await post(secret, INTENTS, intentOf(logoFile))).status).toBe(201);
  });

  it("of a workspace are purged in turn with others', however many of one's are due for longer", async () => {
    const [them, us] = [await createWorkspace({}), await createWorkspace({})];
    const insert = env.DB.prepare(
      `INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key,
         created_at, purge_after)
       SELECT value, ?2, 'logo', 'rejected', 'a', 'image/png', 1, value, key, ?3 FROM json_each(?1)`,
    );
    const [ours] = [newId()];
    await insert.bind(JSON.stringify(Array.from({ length: 50 }, newId)), them.workspaceId, 1).run();
    await insert.bind(JSON.stringify([ours]), us.workspaceId, 2).run();
    const { results } = await env.DB.prepare(
      "SELECT COUNT(DISTINCT workspace_id) AS count FROM assets WHERE purge_after <= 3",
    ).all<{ count: number }>();
    expect(await purgeAssets(env.DB, env.BUCKET, 3, results[0]?.count ?? 0)).toBe(results[0]?.count);
    const left = await env.DB.prepare("SELECT purge_after FROM assets WHERE asset_id = ?1")
      .bind(ours)
      .first("purge_after");
    expect(left).toBeNull();
    await purgeAssets(env.DB, env.BUCKET, 3, ROWS);
  });
});

describe("destinations", () => {
  it("that were removed are forgotten when no delivery names them any more, and not before", async () => {
    holdDeliveryQueue();
    const sender = await senderWithPack();
    const named = await started(sender, { kind: "webhook", url: HOOK_URL });
    const unnamed = await saved(sender, { kind: "webhook", url: `${HOOK_URL}&other` });
    const living = await saved(sender, { kind: "webhook", url: `${HOOK_URL}&living` });
    for (const id of [named.destinationId, unnamed.destination.destinationId]) {
      await callAs(sender.account, "DELETE", inWorkspace(sender, `destinations/${id}`));
    }
    await forgetRemovedDestinations(env.DB, ROWS);
    expect(await rowsOf("destinations", sender.workspaceId)).toBe(2);
    const shown = await callAs(sender.account, "GET", inWorkspace(sender, `deliveries/${named.deliveryId}`));
    expect(shown.status).toBe(200);
    await env.DB.prepare("DELETE FROM deliveries WHERE workspace_id = ?1").bind(sender.workspaceId).run();
    await forgetRemovedDestinations(env.DB, ROWS);
    const listed = await callAs(sender.account, "GET", inWorkspace(sender, "destinations"));
    expect(listed.body.data.items.map((item: { destinationId: string }) => item.destinationId)).toEqual([
      living.destination.destinationId,
    ]);
    expect(await rowsOf("destinations", sender.workspaceId)).toBe(1);
  });

  it("are so many with the removed ones, and no more", async () => {
    const sender = await senderWithPack();
    await env.DB.prepare(
      `INSERT INTO destinations (destination_id, workspace_id, kind, identity, settings, events, created_at, deleted_at)
       SELECT value, ?2, 'webhook', value, '{}', '[]', key, 1 FROM json_each(?1)`,
    )
      .bind(
        JSON.stringify(Array.from({ length: DELIVERY_LIMITS.destinationRowsPerWorkspaceMax }, newId)),
        sender.workspaceId,
      )
      .run();
    const body = { kind: "webhook", url: HOOK_URL };
    const refused = await callAs(sender.account, "POST", inWorkspace(sender, "destinations"), { body });
    expect([refused.status, refused.body.error.code]).toEqual([409, "DESTINATION_LIMIT_REACHED"]);
    await forgetRemovedDestinations(env.DB, ROWS);
    const taken = await callAs(sender.account, "POST", inWorkspace(sender, "destinations"), { body });
    expect(taken.status).toBe(201);
  });
});

it("keys are forgotten a season after they were revoked or expired; a forgotten one opens nothing", async () => {
  const { secret, workspaceId, apiKeyId } = await createWorkspace({ credits: 1 });
  const nowMs = Date.now();
  await env.DB.prepare(
    `INSERT INTO api_keys (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at, expires_at, revoked_at)
     VALUES (?1, ?3, 'a', 'p', ?1, '[]', 1, ?4, NULL), (?2, ?3, 'b', 'p', ?2, '[]', 1, NULL, ?4)`,
  )
    .bind(newId(), newId(), workspaceId, nowMs)
    .run();
  await forgetDeadKeys(env.DB, nowMs + 89 * DAY_MS, ROWS);
  expect(await rowsOf("api_keys", workspaceId)).toBe(3);
  await forgetDeadKeys(env.DB, nowMs + 91 * DAY_MS, ROWS);
  expect(await rowsOf("api_keys", workspaceId)).toBe(1);
  expect((await call("GET", "/api/v1/balance", { secret })).status).toBe(200);
  await env.DB.prepare("UPDATE api_keys SET revoked_at = ?2 WHERE api_key_id = ?1")
    .bind(apiKeyId, nowMs - 91 * DAY_MS)
    .run();
  await forgetDeadKeys(env.DB, nowMs, ROWS);
  const refused = await call("POST", `/api/v1/jobs/${newId()}/cancel`, { secret });
  expect([refused.status, refused.body.error.code]).toEqual([401, "KEY_INVALID"]);
});
