import { beforeEach, expect, it } from "vitest";
import { hashSecret } from "#domains/keys/service.ts";
import { orderReads } from "#operations/order-facts.ts";
import { latest } from "#platform/db/reader.ts";
import { execute } from "../support/database.ts";
import { databaseOfWorkspace } from "../support/homes.ts";
import { type Client, holdQueue, packOf, postJob, workspaceWithLogo } from "../support/jobs.ts";
import { call, createWorkspace, keyDatabase } from "../support/workspace.ts";

/**
 * Statements that run in one batch with the lookup of an uncached key return rows only of the key's workspace, and none
 * if the key may not place orders.
 */

// Keeps the queue from changing rows between two reads.
beforeEach(() => {
  holdQueue();
});

const KEPT = "kept-under-this-key";
const RULES = { windowLimits: { "failed-jobs": 5, "canceled-jobs": 5 }, needsConfirmedOwner: false };

const readsOf = ({ logoId }: Client, nowMs: number) =>
  orderReads({ idempotencyKey: KEPT, assetIds: { logo: logoId } }, RULES, nowMs);

/** A workspace with one order under `KEPT`. */
async function workspaceWithOrder(): Promise<Client> {
  const client = await workspaceWithLogo({ credits: 20 });
  expect((await postJob(client.secret, packOf(client), KEPT)).status).toBe(202);
  return client;
}

/** The rows found with a key in the workspace's database, for the workspace's logo and Idempotency-Key. */
async function foundBeside(
  client: Client,
  secret: string,
  nowMs = Date.now(),
): Promise<readonly unknown[][]> {
  const session = latest(await databaseOfWorkspace(client.workspaceId));
  const presentHash = await hashSecret(keyDatabase().keyPepper, secret);
  const reads = readsOf(client, nowMs).ofSecret(session, { presentHash, previousHash: null });
  const results = await session.batch([...reads]);
  return results.map((result) => result.results);
}

const NOTHING = [[], [], [], [], [], []];

it("a valid key finds the same rows as a key that was verified before", async () => {
  const client = await workspaceWithOrder();
  const nowMs = Date.now();
  const found = await foundBeside(client, client.secret, nowMs);
  const session = latest(await databaseOfWorkspace(client.workspaceId));
  const known = await session.batch([...readsOf(client, nowMs).ofKey(session, client)]);
  expect(found).toEqual(known.map((result) => result.results));
  expect(found.map((rows) => rows.length)).toEqual([1, 1, 1, 1, 1, 1]);
});

it("an unknown, expired or revoked key and a key without the scope find nothing", async () => {
  const client = await workspaceWithOrder();
  expect(await foundBeside(client, `${client.secret}x`)).toEqual(NOTHING);
  const made = await call("POST", "/api/v1/api-keys", {
    secret: client.secret,
    body: { name: "Reader", scopes: ["jobs:read"] },
  });
  expect(await foundBeside(client, made.body.data.secret)).toEqual(NOTHING);
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const ending = await call("POST", "/api/v1/api-keys", {
    secret: client.secret,
    body: { name: "Ending", scopes: ["jobs:write"], expiresAt },
  });
  const endMs = Date.parse(expiresAt);
  expect(await foundBeside(client, ending.body.data.secret, endMs - 1)).not.toEqual(NOTHING);
  expect(await foundBeside(client, ending.body.data.secret, endMs)).toEqual(NOTHING);
  await execute`UPDATE api_keys SET revoked_at = 1 WHERE api_key_id = ${client.apiKeyId}`;
  expect(await foundBeside(client, client.secret)).toEqual(NOTHING);
});

it("a key of another workspace finds none of this workspace's rows, whatever ids it sends", async () => {
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
])("a key whose workspace %s finds nothing", async (_, change) => {
  const client = await workspaceWithOrder();
  const db = await databaseOfWorkspace(client.workspaceId);
  await db.prepare(`UPDATE workspaces SET ${change} WHERE workspace_id = ?1`).bind(client.workspaceId).run();
  expect(await foundBeside(client, client.secret)).toEqual(NOTHING);
});
