import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { grantFreeSize } from "#domains/accounts/free-size.ts";
import { mirrorChangedPeople } from "#domains/accounts/members/copy-members-to-shard.ts";
import { endMirroredSessions } from "#domains/accounts/members/end-sessions-on-shards.ts";
import { endAllSessions } from "#domains/accounts/operator-access.ts";
import type { Databases } from "#platform/databases/databases.ts";
import worker from "../../src/worker.ts";
import { callAs, createAccount, fromOwnNetwork, ORIGIN, PASSWORD } from "../support/accounts.ts";
import { execute, selectRow, selectRows, selectValue } from "../support/database.ts";
import type { SeededAccount } from "../support/seed-account.ts";
import { databasesOf, withShards } from "../support/shards.ts";
import { LOGO_UPLOAD } from "../support/upload-request.ts";
import { call, configured, type Settings } from "../support/workspace.ts";

/** `DB` decides about access. A shard has copies of its workspaces' members, which its mails and guards need. */

let settings: Settings;
let databases: Databases;

beforeAll(async () => {
  settings = await withShards();
  databases = databasesOf(settings);
});

const as = (account: { readonly cookie: string }, method: string, path: string, body?: unknown) =>
  callAs(account, method, path, { settings, ...(body === undefined ? {} : { body }) });

interface Placed {
  readonly workspaceId: string;
  readonly shard: D1Database;
  path(tail: string): string;
}

async function shardOf(workspaceId: string): Promise<D1Database> {
  const home = await selectValue<string>`select home from workspaces where workspace_id = ${workspaceId}`;
  const shard = [...databases.shards].find(([name]) => name === home)?.[1];
  if (shard === undefined) throw new Error(`a workspace on no shard: ${home}`);
  return shard;
}

async function createOn(account: SeededAccount): Promise<Placed> {
  const made = await callAs(account, "POST", "/api/account/workspaces", {
    settings,
    body: { name: "Acme" },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  });
  expect(made.status).toBe(201);
  const { workspaceId } = made.body.data;
  const path = (tail: string) => `/api/account/workspaces/${workspaceId}/${tail}`;
  return { workspaceId, shard: await shardOf(workspaceId), path };
}

const peopleOn = async (shard: D1Database, workspaceId: string) => {
  const sql = `select a.email, m.role, a.is_email_verified as isVerified from workspace_members m
    join accounts a on a.account_id = m.account_id where m.workspace_id = ?1 order by m.role desc`;
  return (await shard.prepare(sql).bind(workspaceId).all()).results;
};

async function addMember(owner: SeededAccount, { path }: Placed): Promise<SeededAccount> {
  const member = await createAccount();
  const { code } = (await as(owner, "POST", path("invitations"))).body.data;
  expect((await as(member, "POST", "/api/account/invitations/accept", { code })).status).toBe(200);
  return member;
}

const balance = async (secret: string) => (await call("GET", "/api/v1/balance", { secret, settings })).status;

describe("a workspace created by a user", () => {
  it("lives on a shard, with its owner, and not in DB", async () => {
    const owner = await createAccount();
    const { workspaceId, shard, path } = await createOn(owner);
    expect(await peopleOn(shard, workspaceId)).toEqual([
      { email: owner.email, role: "owner", isVerified: expect.any(Number) },
    ]);
    const key = await as(owner, "POST", path("api-keys"), { name: "One", scopes: ["balance:read"] });
    expect(key.status).toBe(201);
    expect(await balance(key.body.data.secret)).toBe(200);
    expect(await selectRows`select 1 from api_keys where workspace_id = ${workspaceId}`).toEqual([]);
    const listed = await as(owner, "GET", "/api/account/workspaces");
    expect(listed.body.data.items.map((item: { name: string }) => item.name)).toContain("Acme");
  });

  it("is created after the response to a sign-up, because the response time would otherwise reveal a free address", async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const shard of databases.shards.values()) {
      const batch = shard.batch.bind(shard);
      vi.spyOn(shard, "batch").mockImplementation(async (statements) => {
        await released;
        return batch(statements);
      });
    }
    const context = createExecutionContext();
    const email = `${crypto.randomUUID()}@accounts.example`;
    const request = new Request<unknown, IncomingRequestCfProperties>(`${ORIGIN}/api/account/sign-up`, {
      method: "POST",
      headers: { ...fromOwnNetwork(), "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Ada", email, password: PASSWORD }),
    });
    const answer = await worker.fetch(request, configured(settings), context);
    expect(answer.status).toBe(202);
    await answer.body?.cancel();
    release();
    await waitOnExecutionContext(context);
  });

  it("is completed at the owner's next visit or by the sweep, if the request crashed", async () => {
    const owner = await createAccount();
    for (const isVisited of [true, false]) {
      const workspaceId = crypto.randomUUID();
      await execute`insert into workspaces (workspace_id, name, kind, created_at, home)
        values (${workspaceId}, 'Half', 'standard', 1, '01')`;
      await execute`insert into workspace_members values (${workspaceId}, ${owner.accountId}, 'owner', 1)`;
      if (isVisited) {
        const keys = await as(owner, "GET", `/api/account/workspaces/${workspaceId}/api-keys`);
        expect([keys.status, keys.body.data.items]).toEqual([200, []]);
      } else {
        expect(await mirrorChangedPeople(databases, Date.now(), 100)).toBeGreaterThan(0);
      }
      expect(await peopleOn(env.TEST_SHARD_01, workspaceId)).toHaveLength(1);
    }
    expect(await mirrorChangedPeople(databases, Date.now(), 100)).toBe(0);
  });

  it("is completed before its free size is granted", async () => {
    const owner = await createAccount();
    const workspaceId = crypto.randomUUID();
    await execute`insert into workspaces (workspace_id, name, kind, created_at, home)
      values (${workspaceId}, 'Half', 'standard', ${Date.now() - 86_400_000}, '01')`;
    await execute`insert into workspace_members values (${workspaceId}, ${owner.accountId}, 'owner', 1)`;
    const email = await selectValue<string>`select email from accounts where account_id = ${owner.accountId}`;
    await execute`update accounts set is_email_verified = 1 where account_id = ${owner.accountId}`;
    await grantFreeSize(databases, email ?? "", Date.now());
    const granted = env.TEST_SHARD_01.prepare("select credits from workspaces where workspace_id = ?1");
    expect(await granted.bind(workspaceId).first("credits")).toBe(1);
  });

  it("is also created on a shard by a sign-up", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const body = { name: "Ada", email, password: PASSWORD };
    const signedUp = await call("POST", "/api/account/sign-up", {
      headers: fromOwnNetwork(),
      body,
      settings,
    });
    expect(signedUp.status).toBe(202);
    const row = await selectRow<{ id: string }>`select m.workspace_id as id from workspace_members m
      join accounts a on a.account_id = m.account_id where a.email = ${email}`;
    const workspaceId = row?.id ?? "";
    expect(await peopleOn(await shardOf(workspaceId), workspaceId)).toEqual([
      { email, role: "owner", isVerified: 0 },
    ]);
  });
});

describe("its members", () => {
  it("are added and removed on the shard as in DB, and a removed member has no access", async () => {
    const owner = await createAccount();
    const placed = await createOn(owner);
    const { workspaceId, shard, path } = placed;
    const member = await addMember(owner, placed);
    expect((await peopleOn(shard, workspaceId)).map(({ email }) => email)).toEqual([
      owner.email,
      member.email,
    ]);
    const saved = await as(member, "POST", path("destinations"), {
      kind: "webhook",
      url: "https://receiver.example/hook",
      events: ["job.canceled"],
    });
    expect(saved.status).toBe(201);
    expect((await as(owner, "POST", path(`members/${member.accountId}/remove`))).status).toBe(200);
    expect((await as(member, "GET", path("destinations"))).status).toBe(404);
    expect(await peopleOn(shard, workspaceId)).toHaveLength(1);
    const paused = shard.prepare("select disabled_at from destinations where workspace_id = ?1");
    expect(await paused.bind(workspaceId).first("disabled_at")).toEqual(expect.any(Number));
  });

  it("get their changed address on the shard, even if another member had that address before", async () => {
    const [one, two] = [await createAccount(), await createAccount()];
    const placed = await createOn(one);
    const other = await createOn(two);
    const shared = `${crypto.randomUUID()}@example.com`;
    await execute`update accounts set email = ${shared} where account_id = ${one.accountId}`;
    await mirrorChangedPeople(databases, Date.now(), 100);
    await execute`update accounts set email = ${`new-${shared}`} where account_id = ${one.accountId}`;
    await execute`update accounts set email = ${shared} where account_id = ${two.accountId}`;
    await mirrorChangedPeople(databases, Date.now(), 100);
    expect((await peopleOn(placed.shard, placed.workspaceId))[0]?.email).toBe(`new-${shared}`);
    expect((await peopleOn(other.shard, other.workspaceId))[0]?.email).toBe(shared);
  });
});

/** Sends a write with a key: the start of an upload. */
const uploadLogo = (secret: string) =>
  call("POST", "/api/v1/assets/uploads", {
    secret,
    settings,
    headers: { "Idempotency-Key": crypto.randomUUID() },
    body: LOGO_UPLOAD,
  });

it("a session key works on the shard, and is refused there as soon as the session ends", async () => {
  const owner = await createAccount();
  const { path } = await createOn(owner);
  const made = await as(owner, "POST", path("session-key"));
  expect(made.status).toBe(201);
  const { secret } = made.body.data;
  expect(await balance(secret)).toBe(200);
  expect((await uploadLogo(secret)).status).toBe(201);
  await execute`delete from account_sessions where account_id = ${owner.accountId}`;
  expect((await uploadLogo(secret)).body.error.code).toBe("KEY_REVOKED");
});

/** Delays the first batch on a shard until `until` has finished, like a slow write. */
function holdFirstBatch(shard: D1Database, until: () => Promise<unknown>) {
  const batch = shard.batch.bind(shard);
  let isHeld = false;
  vi.spyOn(shard, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
    if (!isHeld) {
      isHeld = true;
      await until();
    }
    return batch(statements);
  });
}

describe("a write running when its session ends", () => {
  const assetsOf = ({ shard, workspaceId }: Placed) =>
    shard
      .prepare("select count(*) as count from assets where workspace_id = ?1")
      .bind(workspaceId)
      .first("count");

  it.each<[string, (owner: SeededAccount) => Promise<unknown>]>([
    ["the sign-out was answered", (owner) => as(owner, "POST", "/api/account/sign-out")],
    [
      "an operator has ended the sessions",
      ({ accountId }) => endAllSessions(databases, accountId, Date.now()),
    ],
  ])("is refused by its shard, once %s", async (_, endSessions) => {
    const owner = await createAccount();
    const placed = await createOn(owner);
    const { secret } = (await as(owner, "POST", placed.path("session-key"))).body.data;
    holdFirstBatch(placed.shard, () => endSessions(owner));
    expect((await uploadLogo(secret)).body.error?.code).toBe("KEY_REVOKED");
    expect(await assetsOf(placed)).toBe(0);
  });

  it("succeeds if another session of the user ended", async () => {
    const owner = await createAccount();
    const placed = await createOn(owner);
    const { secret } = (await as(owner, "POST", placed.path("session-key"))).body.data;
    holdFirstBatch(placed.shard, () => endMirroredSessions(databases, owner.accountId));
    expect((await uploadLogo(secret)).status).toBe(201);
    expect(await assetsOf(placed)).toBe(1);
  });
});

it("a trial lives on a shard, and is claimed once", async () => {
  const headers = fromOwnNetwork();
  const claim = () => call("POST", "/api/v1/agent/trial-key", { headers, settings, body: {} });
  const claimed = await claim();
  expect(claimed.status).toBe(201);
  const { secret, workspace } = claimed.body.data;
  const shard = await shardOf(workspace.workspaceId);
  expect(await balance(secret)).toBe(200);
  const credits = shard.prepare("select credits from workspaces where workspace_id = ?1");
  expect(await credits.bind(workspace.workspaceId).first("credits")).toBe(5);
  expect((await claim()).body.error.code).toBe("TRIAL_ALREADY_CLAIMED");
});
