import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { archiveOldPacks } from "#domains/artifacts/archive-packs.ts";
import { nextGroupOfDay, nextGroupOfDays, packsOfGroup } from "#domains/artifacts/archive-store.ts";
import { newId } from "#platform/ids.ts";
import { freshStorage } from "../fault/fresh-storage.ts";
import { execute, selectRow, selectValue } from "../support/database.ts";
import {
  clientWithOwner,
  closeDeliveries,
  consumeDelivery,
  HOOK_URL,
  listDeliveries,
  saved,
  standIn,
  verified,
} from "../support/deliveries.ts";
import {
  acceptedJob,
  deliver,
  holdQueue,
  jobIn,
  packOf,
  postJob,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { PLAIN_PACK, storeOldPack } from "../support/old-packs.ts";
import { call, createWorkspace } from "../support/workspace.ts";

// Sweeps handle every workspace, so start without any.
beforeEach(freshStorage);
afterAll(closeDeliveries);

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse("2026-03-01T12:00:00.000Z");
const LONG_AGO_MS = NOW_MS - 40 * DAY_MS;

const archive = () => archiveOldPacks(env.DB, env.BUCKET, NOW_MS, 20);

/** A workspace with `count` old packs of one day that are not archived yet. */
async function workspaceWithPacks(count: number) {
  const workspace = await createWorkspace();
  const packs = [];
  for (let at = 1; at <= count; at += 1) {
    const times = { createdAtMs: at, filesDeletedAtMs: LONG_AGO_MS };
    packs.push(await storeOldPack(workspace.workspaceId, { ...PLAIN_PACK, ...times }));
  }
  return { ...workspace, packs };
}

const countWhole = (workspaceId: string) =>
  selectValue<number>`SELECT count(*) FROM jobs WHERE workspace_id = ${workspaceId} AND archive IS NULL`;

describe("an archived pack", () => {
  it("is replayed with its Idempotency-Key", async () => {
    const held = holdQueue();
    const client = await workspaceWithLogo();
    const key = newId();
    const body = packOf(client, { copy: { headline: "Two wheels" } });
    const { jobId } = jobIn(await postJob(client.secret, body, key));
    await deliver({ jobId, part: 0 });
    held.mockRestore();
    const before = await readJob(client.secret, jobId);
    expect(before.status).toBe("succeeded");
    await execute`UPDATE artifacts SET status = 'expired', expires_at = 1, purged_at = ${LONG_AGO_MS}
      WHERE job_id = ${jobId}`;
    expect(await archive()).toBe(1);
    expect(await readJob(client.secret, jobId)).toEqual(before);
    const replay = await postJob(client.secret, body, key);
    expect([replay.status, jobIn(replay)]).toEqual([200, before]);
    // The same order with another Idempotency-Key creates a new job, as it did before the pack was archived.
    expect((await postJob(client.secret, body)).status).toBe(202);
  });

  it("is complete in a delayed webhook message", async () => {
    const { client, ...sender } = await clientWithOwner({ credits: 20 });
    const receivers = standIn();
    const webhook = { kind: "webhook", url: HOOK_URL, events: ["job.succeeded"] };
    const { signingSecret } = await saved(sender, webhook);
    const { jobId } = await acceptedJob(client, { copy: { headline: "Two wheels" } });
    await deliver({ jobId, part: 0 });
    const before = await readJob(client.secret, jobId);
    await execute`UPDATE artifacts SET status = 'expired', expires_at = 1, purged_at = ${LONG_AGO_MS}
      WHERE job_id = ${jobId}`;
    expect(await archive()).toBe(1);
    const [message] = (await listDeliveries(sender)).items;
    expect(await consumeDelivery(message?.deliveryId ?? "")).toBe("acknowledged");
    expect(verified(receivers, signingSecret).map(({ body }) => body.data.job)).toEqual([before]);
  });

  it("is 501 in an origin without storage, alone and in lists", async () => {
    const { secret, workspaceId, packs } = await workspaceWithPacks(1);
    const paths = ["/api/v1/jobs", `/api/v1/jobs/${packs[0]?.jobId}`];
    const statuses = async () => {
      const settings = { BUCKET: undefined };
      const answers = await Promise.all(paths.map((path) => call("GET", path, { secret, settings })));
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    await archive();
    expect(await countWhole(workspaceId)).toBe(0);
    expect(await statuses()).toEqual([501, 501]);
  });

  it("is 500 while its archive is damaged, and complete once it is restored", async () => {
    const { secret, packs } = await workspaceWithPacks(1);
    const path = `/api/v1/jobs/${packs[0]?.jobId}`;
    const { body } = await call("GET", path, { secret });
    await archive();
    const { objects } = await env.BUCKET.list({ prefix: "workspaces/" });
    const { key = "" } = objects.find((object) => object.key.includes("/old-packs/")) ?? {};
    const bytes = (await (await env.BUCKET.get(key))?.bytes()) ?? new Uint8Array();
    await env.BUCKET.put(key, bytes.slice(0, -1));
    expect((await call("GET", path, { secret })).status).toBe(500);
    await env.BUCKET.put(key, bytes);
    expect((await call("GET", path, { secret })).body.data).toEqual(body.data);
  });
});

describe("the sweep", () => {
  it("archives a day's packs together, and reads them back in one request", async () => {
    const { secret, workspaceId, packs } = await workspaceWithPacks(30);
    const list = async () => (await call("GET", "/api/v1/jobs?limit=100", { secret })).body.data;
    const before = await list();
    expect(await archive()).toBe(packs.length);
    const read = vi.spyOn(env.BUCKET, "get");
    expect(await list()).toEqual(before);
    expect(read).toHaveBeenCalledTimes(1);
    const { objects } = await env.BUCKET.list({ prefix: `workspaces/${workspaceId}/old-packs/` });
    expect(objects.map(({ key }) => key)).toEqual([
      `workspaces/${workspaceId}/old-packs/2026-01-20.jsonl.gz`,
    ]);
  });

  it("archives a limited number of groups per run, oldest first", async () => {
    const { workspaceId } = await createWorkspace();
    for (let day = 1; day <= 4; day += 1) {
      const times = { createdAtMs: day, filesDeletedAtMs: LONG_AGO_MS - day * DAY_MS };
      await storeOldPack(workspaceId, { ...PLAIN_PACK, ...times });
    }
    expect(await archiveOldPacks(env.DB, env.BUCKET, NOW_MS, 3)).toBe(3);
    const left = await selectRow`SELECT created_at AS createdAt FROM jobs WHERE archive IS NULL`;
    expect(left).toEqual({ createdAt: 1 });
  });

  it("skips a moving workspace and archives the next one", async () => {
    const moving = await workspaceWithPacks(1);
    const other = await workspaceWithPacks(1);
    await execute`UPDATE workspaces SET moving_to = '00', moving_since = 1 WHERE workspace_id = ${moving.workspaceId}`;
    expect(await archive()).toBe(1);
    expect([await countWhole(moving.workspaceId), await countWhole(other.workspaceId)]).toEqual([1, 0]);
  });

  it("continues if storage fails for one pack, and reports the failure", async () => {
    const [one, other] = [await workspaceWithPacks(1), await workspaceWithPacks(1)];
    vi.spyOn(env.BUCKET, "put").mockRejectedValueOnce(new Error("storage is away"));
    await expect(archive()).rejects.toThrow("storage is away");
    expect(((await countWhole(one.workspaceId)) ?? 0) + ((await countWhole(other.workspaceId)) ?? 0)).toBe(1);
    vi.restoreAllMocks();
    expect(await archive()).toBe(1);
  });

  it("finds its rows with an index, however many rows there are", async () => {
    for (const { sql } of [nextGroupOfDay, nextGroupOfDays, packsOfGroup]) {
      const values = sql.match(/\?/g) ?? [];
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...values.map(() => 1))
        .all<{ readonly detail: string }>();
      const steps = results.map(({ detail }) => detail);
      expect(steps[0], sql).toContain("USING INDEX artifacts_old");
      expect(steps.join("; "), sql).not.toMatch(/USE TEMP B-TREE|SCAN artifacts(?! USING)/);
    }
  });
});
