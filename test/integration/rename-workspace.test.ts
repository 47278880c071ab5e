import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { mirrorPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { clock } from "#platform/clock.ts";
import { latestMove, placeOf } from "#platform/databases/move-store.ts";
import { requestMove, runMoves } from "#platform/databases/run-moves.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { execute, selectValue } from "../support/database.ts";
import { freezeClock } from "../support/freeze-clock.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { waitOf } from "../support/refusals.ts";
import type { SeededAccount } from "../support/seed-account.ts";
import { shardedDatabases, withShards } from "../support/shards.ts";
import type { Settings } from "../support/workspace.ts";

let owner: SeededAccount;
beforeAll(async () => {
  owner = await createAccount();
});

const rename = (account: SeededAccount, workspaceId: string, name: unknown, settings: Settings = {}) =>
  callAs(account, "PATCH", `/api/account/workspaces/${workspaceId}`, { body: { name }, settings });

const namesOf = async (account: SeededAccount, settings: Settings = {}): Promise<readonly string[]> => {
  const { body } = await callAs(account, "GET", "/api/account/workspaces", { settings });
  return body.data.items.map(({ name }: { readonly name: string }) => name);
};

const nameOn = async (db: D1Database, workspaceId: string): Promise<unknown> =>
  (await db.prepare("select name from workspaces where workspace_id = ?1").bind(workspaceId).first())?.name;

describe("API §11.8 a workspace's name", () => {
  it("can be changed only by an owner", async () => {
    const { workspaceId } = owner;
    const [member, stranger] = [await createAccount(), await createAccount()];
    await addMember(workspaceId, member.accountId, "member");
    const renamed = await rename(owner, workspaceId, "  Summer  ");
    expect([renamed.status, renamed.body.data]).toEqual([
      200,
      { workspaceId, name: "Summer", role: "owner", createdAt: expect.any(String) },
    ]);
    expect(await namesOf(member)).toContain("Summer");
    expect((await rename(member, workspaceId, "Mine")).body.error.code).toBe("ROLE_INSUFFICIENT");
    expect((await rename(stranger, workspaceId, "Mine")).body.error.code).toBe("WORKSPACE_NOT_FOUND");
    for (const name of ["", "   ", "x".repeat(101), 7, null]) {
      expect((await rename(owner, workspaceId, name)).status, JSON.stringify(name)).toBe(400);
    }
    expect(await namesOf(owner)).toContain("Summer");
  });

  it("cannot be changed while an operator has suspended the workspace", async () => {
    const { workspaceId, ...account } = await createAccount();
    await execute`update workspaces set suspended_at = 1 where workspace_id = ${workspaceId}`;
    const refused = await rename({ ...account, workspaceId }, workspaceId, "Other");
    expect([refused.status, refused.body.error.code]).toEqual([403, "ROLE_INSUFFICIENT"]);
    expect(await nameOn(env.DB, workspaceId)).not.toBe("Other");
  });

  it("API §8.4 cannot be changed while the workspace refuses writes in DB because of a move", async () => {
    freezeClock();
    const { workspaceId, ...account } = await createAccount();
    await execute`update workspaces set moving_to = '01', moving_since = 1 where workspace_id = ${workspaceId}`;
    const refused = await rename({ ...account, workspaceId }, workspaceId, "Other");
    expect([refused.status, refused.body.error.code]).toEqual([429, "SERVICE_BUSY"]);
    expect(waitOf(refused)).toEqual([2, "0", 2]);
    expect(await nameOn(env.DB, workspaceId)).not.toBe("Other");
    expect(await selectValue<number>`select count(*) from workspace_copies`).toBe(0);
  });
});

describe("a workspace's name, with shards,", () => {
  const databases = shardedDatabases();
  let settings: Settings;
  beforeAll(async () => {
    settings = await withShards();
  });

  it("is written to the directory and the shard before the response", async () => {
    const { workspaceId, ...account } = await createAccount();
    await execute`update workspaces set home = '02', people_revision = 1 where workspace_id = ${workspaceId}`;
    await mirrorPeople(databases, workspaceId, Date.now());
    // Ten other workspaces, more than one request mirrors, have been waiting longer to be copied.
    await execute`insert into workspaces (workspace_id, name, kind, created_at, home, people_revision)
      select 'behind-' || value, 'x', 'standard', 1, '02', 1 from json_each('[0,1,2,3,4,5,6,7,8,9]')`;
    expect((await rename({ ...account, workspaceId }, workspaceId, "On a shard", settings)).status).toBe(200);
    await execute`update workspaces set people_mirrored = people_revision where workspace_id like 'behind-%'`;
    expect(await nameOn(env.DB, workspaceId)).toBe("On a shard");
    expect(await nameOn(env.TEST_SHARD_02, workspaceId)).toBe("On a shard");
    // A delayed copy of an older name changes nothing.
    await mirrorPeople(databases, workspaceId, Date.now());
    expect(await nameOn(env.TEST_SHARD_02, workspaceId)).toBe("On a shard");
  });

  it("survives moves to a shard, to another shard and back, even if it was set during a copy", async () => {
    silenceLogs();
    let nowMs = Date.parse("2030-01-01T00:00:00.000Z");
    vi.spyOn(clock, "now").mockImplementation(() => nowMs);
    const { workspaceId, ...account } = await createAccount(Date.parse("2031-01-01T00:00:00.000Z"));
    const person = { ...account, workspaceId };
    const places: readonly (readonly [Home, D1Database])[] = [
      ["03", env.TEST_SHARD_03],
      ["00", env.TEST_SHARD_00],
      ["DB", env.DB],
    ];
    const phase = async () => (await latestMove.first(env.DB, { workspaceId }))?.phase;
    for (const [target, db] of places) {
      expect(await requestMove(databases, { workspaceId, target, nowMs })).toMatchObject({ phase: "asked" });
      await runMoves(databases, (id) => mirrorPeople(databases, id, nowMs));
      expect(await phase()).toBe("copying");
      const name = `Moved to ${target}`;
      expect((await rename(person, workspaceId, name, settings)).status).toBe(200);
      for (let run = 0; (await phase()) !== "done"; run += 1) {
        expect(run, "runs of a move").toBeLessThan(6);
        nowMs += 61_000;
        await runMoves(databases, (id) => mirrorPeople(databases, id, nowMs));
      }
      expect(await nameOn(db, workspaceId), target).toBe(name);
      expect(await nameOn(env.DB, workspaceId), target).toBe(name);
      expect((await placeOf.first(db, { workspaceId }))?.home).toBe(null);
      expect(await namesOf(person, settings)).toContain(name);
    }
  });
});
