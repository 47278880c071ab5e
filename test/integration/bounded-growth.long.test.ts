import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it, vi } from "vitest";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { expireArtifacts } from "#domains/artifacts/retention-sweep.ts";
import { deleteUnreferencedDestinations } from "#domains/deliveries/destination-store.ts";
import { newId } from "#platform/ids.ts";
import { callAs } from "../support/accounts.ts";
import { readyPack } from "../support/artifacts.ts";
import { countRows, execute, selectValue } from "../support/database.ts";
import {
  closeDeliveries,
  HOOK_URL,
  holdDeliveryQueue,
  inWorkspace,
  saved,
  senderWithPack,
  started,
} from "../support/deliveries.ts";
import { refusalOf } from "../support/refusals.ts";

afterAll(closeDeliveries);
const ROWS = 1_000;

describe("files of expired packs", () => {
  /** Packs that expired long ago, with so many files that one deletion request covers two packs. */
  async function expiredPacks(count: number): Promise<{ workspaceId: string; artifactIds: string[] }> {
    const { client, artifactId } = await readyPack();
    const artifactIds = Array.from({ length: count }, newId);
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO jobs (job_id, workspace_id, status, contract_id, motion, output_format, selected_size_ids,
           asset_ids, copy, brand, render_inputs, cost_credits, render_fingerprint, artifact_id, created_at)
         SELECT value, workspace_id, 'succeeded', contract_id, motion, output_format, selected_size_ids,
           asset_ids, copy, brand, render_inputs, cost_credits, render_fingerprint, value, key
         FROM json_each(?1), jobs WHERE artifact_id = ?2`,
      ).bind(JSON.stringify(artifactIds), artifactId),
      env.DB.prepare(
        `WITH RECURSIVE n (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < 499)
         INSERT INTO artifacts (artifact_id, job_id, workspace_id, status, engine_version, total_bytes, created_at,
           expires_at, files)
         SELECT value, value, ?2, 'expired', 'e', 1, key, key,
           (SELECT json_group_array(json_object('fileId', value || at, 'fileName', 'f' || at)) FROM n)
         FROM json_each(?1)`,
      ).bind(JSON.stringify(artifactIds), client.workspaceId),
    ]);
    return { workspaceId: client.workspaceId, artifactIds };
  }

  it("are deleted with few requests, and a failed request does not block the others", async () => {
    const { workspaceId, artifactIds } = await expiredPacks(5);
    const nowMs = 2 * 60 * 60_000;
    const deleted = vi.spyOn(env.BUCKET, "delete").mockRejectedValueOnce(new Error("storage is away"));
    const left = () =>
      selectValue<number>`SELECT COUNT(*) AS count FROM artifacts
        WHERE workspace_id = ${workspaceId} AND purged_at IS NULL`;
    await expect(expireArtifacts(env.DB, env.BUCKET, nowMs, ROWS)).rejects.toThrow("storage is away");
    // One request deletes two packs. The first of three requests failed, and the pack from which the others were copied
    // has not expired.
    expect(deleted.mock.calls.map(([keys]) => keys.length)).toEqual([1_000, 1_000, 500]);
    expect(await left()).toBe(3);
    await expireArtifacts(env.DB, env.BUCKET, nowMs, ROWS);
    expect(await left()).toBe(1);
    expect(new Set(deleted.mock.calls.flatMap(([keys]) => keys)).size).toBe(artifactIds.length * 500);
  });
});

describe("destinations", () => {
  it("that were removed are deleted once no delivery names them", async () => {
    holdDeliveryQueue();
    const sender = await senderWithPack();
    const named = await started(sender, { kind: "webhook", url: HOOK_URL });
    const unnamed = await saved(sender, { kind: "webhook", url: `${HOOK_URL}&other` });
    const living = await saved(sender, { kind: "webhook", url: `${HOOK_URL}&living` });
    for (const id of [named.destinationId, unnamed.destination.destinationId]) {
      await callAs(sender.account, "DELETE", inWorkspace(sender, `destinations/${id}`));
    }
    await deleteUnreferencedDestinations.run(env.DB, { limit: ROWS });
    expect(await countRows("destinations", sender.workspaceId)).toBe(2);
    const shown = await callAs(sender.account, "GET", inWorkspace(sender, `deliveries/${named.deliveryId}`));
    expect(shown.status).toBe(200);
    await execute`DELETE FROM deliveries WHERE workspace_id = ${sender.workspaceId}`;
    await deleteUnreferencedDestinations.run(env.DB, { limit: ROWS });
    const listed = await callAs(sender.account, "GET", inWorkspace(sender, "destinations"));
    expect(listed.body.data.items.map((item: { destinationId: string }) => item.destinationId)).toEqual([
      living.destination.destinationId,
    ]);
    expect(await countRows("destinations", sender.workspaceId)).toBe(1);
  });

  it("are limited in number, including removed ones", async () => {
    const sender = await senderWithPack();
    await execute`INSERT INTO destinations (destination_id, workspace_id, kind, identity, settings, events, created_at, deleted_at)
       SELECT value, ${sender.workspaceId}, 'webhook', value, '{}', '[]', key, 1 FROM json_each(${JSON.stringify(Array.from({ length: DELIVERY_LIMITS.destinationRowsPerWorkspaceMax }, newId))})`;
    const body = { kind: "webhook", url: HOOK_URL };
    const refused = await callAs(sender.account, "POST", inWorkspace(sender, "destinations"), { body });
    expect(refusalOf(refused)).toEqual([409, "DESTINATION_LIMIT_REACHED"]);
    await deleteUnreferencedDestinations.run(env.DB, { limit: ROWS });
    const taken = await callAs(sender.account, "POST", inWorkspace(sender, "destinations"), { body });
    expect(taken.status).toBe(201);
  });
});
