import { beforeEach, expect, it } from "vitest";
import type { Scope } from "#api/scopes.ts";
import { recordOfSecret } from "#domains/idempotency/store.ts";
import { preconditionStatements, preconditionsOfSecret } from "#domains/jobs/preconditions.ts";
import { hashSecret } from "#domains/keys/service.ts";
import { latest } from "#platform/db/reader.ts";
import { execute } from "../support/database.ts";
import { databaseOfWorkspace } from "../support/homes.ts";
import { type Client, holdQueue, packOf, postJob, workspaceWithLogo } from "../support/jobs.ts";
import { call, createWorkspace, keyDatabase } from "../support/workspace.ts";

/**
 * Guarantee: what is read in one trip with a key that is not remembered is what its own workspace has, and nothing at all
 * for a key that may not order: the trip sets out before the key is verified.
 */

// What is read twice is compared, and must not change in between.
beforeEach(() => {
  holdQueue();
});

const KEPT = "kept-under-this-key";
const WINDOW_LIMITS = { "failed-jobs": 5, "canceled-jobs": 5 };

/** A workspace that has ordered once under `KEPT`. */
async function workspaceWithOrder(): Promise<Client> {
  const client = await workspaceWithLogo({ credits: 20 });
  expect((await postJob(client.secret, packOf(client), KEPT)).status).toBe(202);
  return client;
}

/** What is found beside a key in the database of the workspace, whose logo and Idempotency-Key are asked for. */
async function foundBeside(
  { workspaceId, logoId }: Client,
  secret: string,
  { scope = "jobs:write", nowMs = Date.now() }: { readonly scope?: Scope; readonly nowMs?: number } = {},
): Promise<readonly unknown[][]> {
  const session = latest(await databaseOfWorkspace(workspaceId));
  const presentHash = await hashSecret(keyDatabase().keyPepper, secret);
  const used = { presentHash, previousHash: null, scope, nowMs };
  const results = await session.batch([
    recordOfSecret.bind(session, { ...used, idempotencyKey: KEPT }),
    ...preconditionsOfSecret(session, used, { logo: logoId }, WINDOW_LIMITS),
  ]);
  return results.map((result) => result.results);
}

const NOTHING = [[], [], [], [], [], []];

it("a key that may order: what its workspace has, as it is read once the key is known", async () => {
  const client = await workspaceWithOrder();
  const nowMs = Date.now();
  const [record, ...preconditions] = await foundBeside(client, client.secret, { nowMs });
  expect(record).toHaveLength(1);
  const session = latest(await databaseOfWorkspace(client.workspaceId));
  const known = await session.batch(
    preconditionStatements(session, client, { logo: client.logoId }, WINDOW_LIMITS, nowMs).slice(),
  );
  expect(preconditions).toEqual(known.map((result) => result.results));
  expect(preconditions.map((rows) => rows.length)).toEqual([1, 1, 1, 1, 1]);
});

it("a key of nobody, one without the scope, and one that has ended: nothing", async () => {
  const client = await workspaceWithOrder();
  expect(await foundBeside(client, `${client.secret}x`)).toEqual(NOTHING);
  const made = await call("POST", "/api/v1/api-keys", {
    secret: client.secret,
    body: { name: "Reader", scopes: ["jobs:read"], expiresAt: new Date(Date.now() + 60_000).toISOString() },
  });
  const { secret, expiresAt } = made.body.data;
  expect(await foundBeside(client, secret)).toEqual(NOTHING);
  // Had the route asked for what the key has, it would be found until the key ends.
  const endMs = Date.parse(expiresAt);
  expect(await foundBeside(client, secret, { scope: "jobs:read", nowMs: endMs - 1 })).not.toEqual(NOTHING);
  expect(await foundBeside(client, secret, { scope: "jobs:read", nowMs: endMs })).toEqual(NOTHING);
  await execute`UPDATE api_keys SET revoked_at = 1 WHERE api_key_id = ${client.apiKeyId}`;
  expect(await foundBeside(client, client.secret)).toEqual(NOTHING);
});

it("another workspace's key: nothing of this one, whatever ids it names", async () => {
  const client = await workspaceWithOrder();
  const other = await createWorkspace({ credits: 1 });
  const [record, assets, ...rest] = await foundBeside(client, other.secret);
  expect([record, assets]).toEqual([[], []]);
  expect(rest.map((rows) => rows.length)).toEqual([1, 1, 1, 1]);
});

it.each([
  ["is suspended", "suspended_at = 1"],
  ["has ended", "expires_at = 1"],
  ["lives elsewhere", "home = '07'"],
])("a workspace that %s: nothing", async (_, change) => {
  const client = await workspaceWithOrder();
  const db = await databaseOfWorkspace(client.workspaceId);
  await db.prepare(`UPDATE workspaces SET ${change} WHERE workspace_id = ?1`).bind(client.workspaceId).run();
  expect(await foundBeside(client, client.secret)).toEqual(NOTHING);
});
