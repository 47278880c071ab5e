import { beforeAll, expect, it, vi } from "vitest";
import { generateSecret } from "#domains/keys/secret.ts";
import { clock } from "#platform/clock.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { waitOf } from "../support/refusals.ts";
import { copyRowsToShard, createWorkspaceOn, shardDatabase, withShards } from "../support/shards.ts";
import { call, type Settings } from "../support/workspace.ts";

/** A key leads to the current database of its workspace, even after moves, and to no other database. */

let settings: Settings;
beforeAll(async () => {
  settings = await withShards();
});

const creditsOf = async (secret: string, bound = settings) => {
  const { status, body } = await call("GET", "/api/v1/balance", { secret, settings: bound });
  return status === 200 ? body.data.credits.available : [status, body.error.code];
};

const makeKey = (secret: string) =>
  call("POST", "/api/v1/api-keys", { secret, settings, body: { name: "Next", scopes: ["balance:read"] } });

const setMoving = (workspaceId: string, sinceMs: number | null) =>
  shardDatabase("02")
    .prepare("update workspaces set moving_since = ?2 where workspace_id = ?1")
    .bind(workspaceId, sinceMs)
    .run();

it("a key names its shard, and so do the keys that it creates", async () => {
  const { secret } = await createWorkspaceOn("02", 7);
  expect(secret).toMatch(/^cpk_live_02/);
  expect(await creditsOf(secret)).toBe(7);
  const made = await makeKey(secret);
  expect([made.status, made.body.data.secret.slice(0, 11)]).toEqual([201, "cpk_live_02"]);
  expect(await creditsOf(made.body.data.secret)).toBe(7);
});

it("a key whose shard is not bound is unknown, like a key with a wrong check code", async () => {
  const { secret } = await createWorkspaceOn("02", 7);
  expect(await creditsOf(secret, { ...settings, DB_02: undefined })).toEqual([401, "KEY_INVALID"]);
  expect(await creditsOf(generateSecret("live", "63"))).toEqual([401, "KEY_INVALID"]);
  expect(await creditsOf(generateSecret("live", "03"))).toEqual([401, "KEY_INVALID"]);
});

it("a key finds its workspace after one move and after several", async () => {
  const { workspaceId, secret } = await createWorkspaceOn("02", 7);
  await copyRowsToShard(workspaceId, "02", "03");
  expect(await creditsOf(secret)).toBe(7);
  const made = await makeKey(secret);
  expect([made.status, made.body.data.secret.slice(0, 11)]).toEqual([201, "cpk_live_03"]);
  await copyRowsToShard(workspaceId, "03", "01");
  expect(await creditsOf(secret)).toBe(7);
  expect(await creditsOf(made.body.data.secret)).toBe(7);
});

it("API §8.4 a key can read but not write while its workspace moves, and can write afterwards", async () => {
  freezeClock();
  const { workspaceId, secret } = await createWorkspaceOn("02", 7);
  await setMoving(workspaceId, 1);
  expect(await creditsOf(secret)).toBe(7);
  const refused = await makeKey(secret);
  expect([refused.status, refused.body.error.code]).toEqual([429, "SERVICE_BUSY"]);
  expect(waitOf(refused)).toEqual([2, "0", 2]);
  await setMoving(workspaceId, null);
  expect((await makeKey(secret)).status).toBe(201);
});

it("API §4.2 a write goes to the new database if the move ends while the request waits", async () => {
  const { workspaceId, secret } = await createWorkspaceOn("02", 7);
  await setMoving(workspaceId, 1);
  vi.spyOn(clock, "wait").mockImplementationOnce(async () => {
    await setMoving(workspaceId, null);
    await copyRowsToShard(workspaceId, "02", "03");
  });
  const made = await makeKey(secret);
  expect([made.status, made.body.data?.secret.slice(0, 11)]).toEqual([201, "cpk_live_03"]);
});

it("API §4.2 a write is repeated once if the move starts during the write and ends while the request waits", async () => {
  const { workspaceId, secret } = await createWorkspaceOn("02", 7);
  const shard = shardDatabase("02");
  const batch = shard.batch.bind(shard);
  vi.spyOn(shard, "batch").mockImplementationOnce(async (statements: D1PreparedStatement[]) => {
    await setMoving(workspaceId, 1);
    return batch(statements);
  });
  vi.spyOn(clock, "wait").mockImplementationOnce(() => setMoving(workspaceId, null).then(() => undefined));
  expect((await makeKey(secret)).status).toBe(201);
});
