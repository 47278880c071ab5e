import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Env } from "#platform/bindings/env.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import worker from "../../src/worker.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { recordMessages } from "../support/sent-messages.ts";
import { createWorkspaceOn, shardDatabase, withShards } from "../support/shards.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.parse("2031-01-01T00:00:00.000Z");
let nowMs = START_MS;
let sharded: Env;
let sent: () => unknown[];

beforeAll(async () => {
  sharded = { ...env, ...(await withShards()) };
});

beforeEach(() => {
  nowMs += 10 * MINUTE_MS;
  sent = recordMessages(env.SWEEP_QUEUE);
  vi.spyOn(clock, "now").mockImplementation(() => nowMs);
});

/** Runs the scheduled tasks once. Returns the messages that they send to the sweeps' queue. */
async function tick(of: Env): Promise<unknown[]> {
  vi.mocked(env.SWEEP_QUEUE.sendBatch).mockClear();
  await worker.scheduled({} as ScheduledController, of);
  return sent();
}

/** Delivers a message to the worker. Returns true if it was acknowledged. */
async function take(body: unknown): Promise<boolean> {
  const batch = createMessageBatch("creative-packs-sweeps", [
    { id: newId(), timestamp: new Date(nowMs), attempts: 1, body },
  ]);
  await worker.queue(batch, sharded);
  return (await getQueueResult(batch, createExecutionContext())).retryMessages.length === 0;
}

/** A pending upload on a shard. */
async function openUpload(shard: "00" | "01"): Promise<() => Promise<string | null>> {
  const { workspaceId } = await createWorkspaceOn(shard);
  const db = shardDatabase(shard);
  const [assetId, uploadId] = [newId(), newId()];
  await db.batch([
    db
      .prepare(
        `INSERT INTO assets (asset_id, workspace_id, slot_id, status, file_name, mime_type, byte_length, object_key, created_at)
         VALUES (?1, ?2, 'logo', 'processing', 'a.svg', 'image/svg+xml', 1, '', ?3)`,
      )
      .bind(assetId, workspaceId, nowMs),
    db
      .prepare(
        `INSERT INTO uploads (upload_id, asset_id, workspace_id, status, created_at, expires_at)
         VALUES (?1, ?2, ?3, 'pending', ?4, ?4)`,
      )
      .bind(uploadId, assetId, workspaceId, nowMs),
  ]);
  return () => db.prepare("SELECT status FROM assets WHERE asset_id = ?1").bind(assetId).first("status");
}

it("without shards, the scheduled run sends no message", async () => {
  silenceLogs();
  expect(await tick(env)).toEqual([]);
});

it("each run sends a message for each shard, and this message sweeps only that shard", async () => {
  silenceLogs();
  const [first, second] = [await openUpload("00"), await openUpload("01")];
  nowMs += 30 * MINUTE_MS;
  const asked = await tick(sharded);
  expect(asked).toEqual([
    ...["00", "01", "02", "03"].map((shard) => ({ shard, dueAtMs: nowMs })),
    { task: "moves", dueAtMs: nowMs },
  ]);
  expect([await first(), await second()]).toEqual(["processing", "processing"]);
  expect(await take(asked[0])).toBe(true);
  expect([await first(), await second()]).toEqual(["rejected", "processing"]);
  nowMs += MINUTE_MS;
  expect(await tick(sharded)).toHaveLength(5);
});

it("a message may be delivered twice, even concurrently", async () => {
  silenceLogs();
  const status = await openUpload("00");
  nowMs += 30 * MINUTE_MS;
  const message = { shard: "00", dueAtMs: nowMs };
  expect(await Promise.all([take(message), take(message)])).toEqual([true, true]);
  expect(await take(message)).toBe(true);
  expect(await status()).toBe("rejected");
  // Ignores differences of jobs that other test files left in this shard without ledger events.
  const events = vi.mocked(log.failure).mock.calls.map(([line]) => line.event);
  expect(events.filter((event) => event !== "ledger_difference")).toEqual([]);
});

it("an unreadable message, and one that a later message has overtaken, is dropped", async () => {
  silenceLogs();
  const status = await openUpload("00");
  nowMs += 30 * MINUTE_MS;
  expect(await take({ shard: "00", dueAtMs: nowMs - MINUTE_MS - 1 })).toBe(true);
  expect(await take({ shard: "00" })).toBe(true);
  expect(await status()).toBe("processing");
  expect(await take({ shard: "00", dueAtMs: nowMs - MINUTE_MS })).toBe(true);
  expect(await status()).toBe("rejected");
});

it("a missing queue binding is reported, and DB is still swept", async () => {
  silenceLogs();
  const { SWEEP_QUEUE: _, ...without } = sharded;
  nowMs = Math.ceil(nowMs / (60 * MINUTE_MS)) * 60 * MINUTE_MS;
  await worker.scheduled({} as ScheduledController, without);
  expect(log.failure).toHaveBeenCalledWith({ event: "sweep_shards" }, expect.any(Error));
  expect(log.line).toHaveBeenCalledWith(expect.objectContaining({ event: "swept", code: "DB" }));
});
