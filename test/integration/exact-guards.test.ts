import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { listArtifacts } from "#domains/artifacts/list-artifacts.ts";
import { deleteDeadAssets } from "#domains/assets/retention-sweeps.ts";
import { causeOfService } from "#domains/audit/audit-store.ts";
import { failJob, finishJob, RENDERING_FAILED } from "#domains/jobs/end-job.ts";
import { claimPart, completePart, releasePart } from "#domains/jobs/part-store.ts";
import { findStaleJobs } from "#domains/jobs/sweep-jobs.ts";
import { createKey, createKeyAsOwner } from "#domains/keys/create-key.ts";
import { revokeKey } from "#domains/keys/manage-keys.ts";
import { createRecentKeys } from "#domains/keys/recent-keys.ts";
import { authenticateSecret } from "#domains/keys/service.ts";
import { touchKey } from "#domains/keys/store.ts";
import { leaseHolder } from "#platform/db/lease.ts";
import { newId } from "#platform/ids.ts";
import { readyPack } from "../support/artifacts.ts";
import { execute, selectRows } from "../support/database.ts";
import { heldJob, SIX_SIZES } from "../support/held-jobs.ts";
import {
  acceptedJob,
  cancel,
  deliver,
  eventsOf,
  holdQueue,
  readJob,
  workspaceWithLogo,
} from "../support/jobs.ts";
import { createWorkspace, keyDatabase } from "../support/workspace.ts";

/** Every condition of these statements is needed: if it is removed or off by one, a test fails. */

const T = 1_100_000_000_000;
/** Sizes of a job with three parts, of four, four and one outputs. */
const THREE_PARTS = { selectedSizeIds: [...SIX_SIZES, "iab-300x250", "iab-728x90", "iab-160x600"] };

describe("keys", () => {
  const request = { name: "Child", scopes: [], expiresAt: null };
  const principalOf = (
    { apiKeyId, workspaceId }: { apiKeyId: string; workspaceId: string },
    expiresAt: number | null,
  ) => ({
    apiKeyId,
    workspaceId,
    workspaceKind: "standard" as const,
    scopes: [],
    livemode: true,
    expiresAt,
    countedAs: apiKeyId,
    isOfSession: false,
    isOfAgent: false,
    home: "DB" as const,
    isMoving: false,
  });

  it("are not created by a key that expires now or was revoked", async () => {
    const owner = await createWorkspace();
    const create = (nowMs: number) =>
      createKey(keyDatabase(), principalOf(owner, T), true, request, causeOfService("system", nowMs));
    expect(await create(T)).toMatchObject({ ok: false, code: "INVALID_REQUEST" });
    expect(await create(T - 1)).toMatchObject({ ok: true, value: { apiKey: { expiresAt: T } } });
    await revokeKey(env.DB, principalOf(owner, T), owner.apiKeyId, false, causeOfService("system", T - 1));
    expect(await create(T - 1)).toMatchObject({ ok: false, code: "KEY_REVOKED" });
  });

  it("that expire now neither count as active nor are listed as live descendants", async () => {
    const { workspaceId, apiKeyId } = await createWorkspace();
    await execute`INSERT INTO api_keys (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at, expires_at, ancestor_key_ids)
       SELECT value, ${workspaceId}, 'a', 'p', value, '[]', 1, ${T}, ${apiKeyId} || '/' FROM json_each(${JSON.stringify(Array.from({ length: LIMITS.activeKeysPerWorkspaceMax - 1 }, newId))})`;
    const create = (nowMs: number) =>
      createKeyAsOwner(keyDatabase(), workspaceId, request, causeOfService("system", nowMs));
    expect(await create(T - 1)).toMatchObject({ ok: false, code: "API_KEY_LIMIT_REACHED" });
    expect(await create(T)).toMatchObject({ ok: true });
    const descendants = async (nowMs: number) => {
      const revoked = await revokeKey(
        env.DB,
        { workspaceId, livemode: true },
        apiKeyId,
        false,
        causeOfService("system", nowMs),
      );
      return revoked.ok ? [revoked.value.descendants.length, revoked.value.apiKey.revokedAt] : null;
    };
    // The second revocation keeps the time of the first.
    expect(await descendants(T - 1)).toEqual([LIMITS.activeKeysPerWorkspaceMax - 1, T - 1]);
    expect(await descendants(T)).toEqual([0, T - 1]);
  });

  it("record their use once a minute, also from the cache, and never an earlier one", async () => {
    const { apiKeyId, secret } = await createWorkspace();
    const memory = { recentKeys: createRecentKeys(), mayUseCache: true };
    const writes: Promise<void>[] = [];
    for (const nowMs of [T, T + 1]) {
      await authenticateSecret(
        { ...keyDatabase(), keyPepperPrevious: null, databases: { directory: env.DB, shards: new Map() } },
        secret,
        nowMs,
        (write) => writes.push(write),
        memory,
      );
    }
    expect(writes).toHaveLength(1);
    await Promise.all(writes);
    await touchKey.run(env.DB, { apiKeyId, nowMs: T - 1 });
    const used = env.DB.prepare("SELECT last_used_at FROM api_keys WHERE api_key_id = ?1").bind(apiKeyId);
    expect(await used.first("last_used_at")).toBe(T);
  });
});

describe("jobs", () => {
  const newHolder = () => leaseHolder(newId(), newId());
  /** Claims some parts. Returns the indexes of those that could be claimed. */
  const claim = async (jobId: string, nowMs: number, by = newHolder(), parts = [0, 1, 2]) => {
    const claimed: number[] = [];
    for (const part of parts) {
      if ((await claimPart(env.DB, { jobId, part }, by, nowMs)) !== null) claimed.push(part);
    }
    return claimed;
  };
  const complete = async (jobId: string, part: number, { leaseId }: { leaseId: string }) =>
    (await completePart(env.DB, { jobId, part, leaseId, sizeIds: Array(part + 1).fill("") }, [])) !== null;
  const finish = (jobId: string) => finishJob({ db: env.DB, bucket: env.BUCKET }, jobId, T);
  const partsOf = (jobId: string) =>
    selectRows`SELECT part, lease_id IS NOT NULL AS isHeld, files, outputs_done AS outputsDone FROM job_parts
      WHERE job_id = ${jobId} ORDER BY part`;

  it("that were canceled have no part to claim, and cannot fail", async () => {
    const { client, job } = await heldJob(THREE_PARTS);
    await cancel(client.secret, job.jobId);
    expect(await claim(job.jobId, T)).toEqual([]);
    await failJob(env.DB, job.jobId, RENDERING_FAILED, T, {});
    expect((await readJob(client.secret, job.jobId)).status).toBe("canceled");
    expect([await partsOf(job.jobId), (await eventsOf(job.jobId)).length]).toEqual([[], 2]);
  });

  it("that succeeded cannot fail, and have no part left", async () => {
    const { client, job } = await heldJob();
    await deliver({ jobId: job.jobId, part: 0 });
    const before = await readJob(client.secret, job.jobId);
    await failJob(env.DB, job.jobId, RENDERING_FAILED, T, {});
    expect(await readJob(client.secret, job.jobId)).toEqual(before);
    expect([before.status, (await eventsOf(job.jobId)).length]).toEqual(["succeeded", 1]);
    expect(await partsOf(job.jobId)).toEqual([]);
  });

  it("that still have undrawn parts or failed cannot succeed, and a failed job keeps its progress", async () => {
    const { client, job } = await heldJob(THREE_PARTS);
    const by = newHolder();
    expect(await claim(job.jobId, T, by)).toEqual([0, 1, 2]);
    expect(await complete(job.jobId, 1, by)).toBe(true);
    expect(await finish(job.jobId)).toBe(false);
    expect((await readJob(client.secret, job.jobId)).progress).toEqual({ total: 9, completed: 2 });
    const other = await acceptedJob(client, THREE_PARTS);
    expect(await claim(other.jobId, T, by)).toEqual([0, 1, 2]);
    for (const part of [0, 1, 2]) expect(await complete(other.jobId, part, by)).toBe(true);
    for (const { jobId } of [job, other]) {
      await failJob(env.DB, jobId, RENDERING_FAILED, T, {});
      expect(await finish(jobId)).toBe(false);
      expect((await readJob(client.secret, jobId)).status).toBe("failed");
    }
    const free = { isHeld: 0, files: null };
    expect(await partsOf(job.jobId)).toEqual([
      { part: 0, ...free, outputsDone: 0 },
      { part: 1, ...free, outputsDone: 2 },
      { part: 2, ...free, outputsDone: 0 },
    ]);
    expect((await readJob(client.secret, other.jobId)).progress).toEqual({ total: 9, completed: 6 });
  });

  it("cannot succeed without their artifact", async () => {
    const { job } = await heldJob();
    await claim(job.jobId, T);
    const succeed = execute`UPDATE jobs SET status = 'succeeded' WHERE job_id = ${job.jobId}`;
    await expect(succeed).rejects.toThrow("a job succeeds with its artifact");
  });

  it("a message that lost its lease can neither complete nor release the part", async () => {
    const { jobId } = await heldJob(THREE_PARTS);
    const [by, next] = [newHolder(), newHolder()];
    expect(await claim(jobId, T, by, [0, 1])).toEqual([0, 1]);
    expect(await complete(jobId, 0, by)).toBe(true);
    expect(await claim(jobId, T + LIMITS.partLeaseMs - 1, next)).toEqual([2]);
    expect(await claim(jobId, T + LIMITS.partLeaseMs, next)).toEqual([1, 2]);
    expect([await complete(jobId, 1, by), await complete(jobId, 2, next)]).toEqual([false, true]);
    await releasePart.run(env.DB, { jobId, part: 1, leaseId: by.leaseId });
    expect(await partsOf(jobId)).toMatchObject([
      { isHeld: 0, files: "[]" },
      { isHeld: 1, files: null },
      { isHeld: 0, files: "[]" },
    ]);
  });

  it("unsent and lost jobs each get half of a sweep's limit, plus what the other half leaves unused", async () => {
    holdQueue();
    const client = await workspaceWithLogo();
    const jobIds: string[] = [];
    for (let made = 0; made < 6; made += 1) jobIds.push((await acceptedJob(client)).jobId);
    // Older than other tests' jobs. The first three jobs were never sent, the others were sent long ago.
    const longAgo = 1_000;
    const future = Date.now() * 2;
    const place = (at: number, createdAt: number, dispatchedAt: number | null) =>
      execute`UPDATE jobs SET created_at = ${createdAt}, dispatched_at = ${dispatchedAt}, is_waiting = 0
        WHERE job_id = ${jobIds[at]}`;
    const found = async (limit: number) => {
      const ids = (await findStaleJobs(env.DB, longAgo + 3_600_000, LIMITS.queuedMessagesMax, limit)).map(
        ({ jobId }) => jobIds.indexOf(jobId),
      );
      return [ids.filter((at) => at < 3).length, ids.filter((at) => at >= 3).length];
    };
    for (const at of [0, 1, 2]) await place(at, longAgo + at, null);
    for (const at of [3, 4, 5]) await place(at, longAgo + at, longAgo + at);
    for (const [limit, unsent, lost] of [
      [1, 1, 0],
      [2, 1, 1],
      [3, 2, 1],
      [5, 3, 2],
      [6, 3, 3],
    ] as const) {
      expect(await found(limit)).toEqual([unsent, lost]);
    }
    for (const at of [4, 5]) await place(at, future + at, future);
    expect(await found(4)).toEqual([3, 1]);
    for (const at of [4, 5]) await place(at, longAgo + at, longAgo + at);
    for (const at of [1, 2]) await place(at, future + at, future);
    expect(await found(4)).toEqual([1, 3]);
    for (const at of [0, 3, 4, 5]) await place(at, future + at, future);
  });
});

it("an artifact is listed as expired from its expiry on, to the millisecond, and a page starts after its cursor", async () => {
  const { client, manifest } = await readyPack();
  const endsMs = Date.parse(manifest.manifest.expiresAt);
  const ANY = { livemode: true, contractId: null, motion: null, search: null, brandId: null, approval: null };
  const list = (nowMs: number, beforeMs: number | null) =>
    listArtifacts({ db: env.DB, nowMs }, client.workspaceId, beforeMs, ANY, 1);
  const { items, nextBefore } = await list(endsMs - 1, null);
  const createdMs = items[0]?.jobCreatedAtMs ?? 0;
  expect([items[0]?.status, nextBefore]).toEqual(["ready", null]);
  expect((await list(endsMs, null)).items[0]?.status).toBe("expired");
  expect((await list(endsMs, createdMs + 1)).items).toHaveLength(1);
  expect((await list(endsMs, createdMs)).items).toEqual([]);
});

it("a dead asset's row is deleted once its retention since creation and deletion has passed, up to the limit", async () => {
  const { workspaceId } = await createWorkspace();
  const insert = env.DB.prepare(
    `INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key, created_at, deleted_at)
     VALUES (?1, ?2, 'logo', ?3, 'a', 'image/png', 1, '', ?4, ?5)`,
  );
  const longAgo = 500;
  const sweep = (atMs: number, limit: number) =>
    deleteDeadAssets(env.DB, atMs + LIMITS.deadAssetRetentionMs, limit);
  // Other tests leave dead assets in the first milliseconds.
  await sweep(longAgo + 5, 100_000);
  await env.DB.batch([
    insert.bind(newId(), workspaceId, "rejected", longAgo, null),
    insert.bind(newId(), workspaceId, "ready", longAgo - 1, longAgo + 5),
  ]);
  expect(await sweep(longAgo - 1, 9)).toBe(0);
  expect(await sweep(longAgo, 9)).toBe(1);
  expect(await sweep(longAgo + 4, 9)).toBe(0);
  await insert.bind(newId(), workspaceId, "rejected", longAgo + 5, null).run();
  expect([await sweep(longAgo + 5, 1), await sweep(longAgo + 5, 9)]).toEqual([1, 1]);
});
