import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { applyEventAtHome } from "#domains/billing/apply-event.ts";
import type { BillingFact } from "#domains/billing/events/billing-event.ts";
import { findShare } from "#domains/shares/share-token.ts";
import { chooseHome } from "#platform/databases/choose-shard.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { saveShardState } from "#platform/databases/directory-store.ts";
import { recordShard } from "#platform/databases/list-objects.ts";
import { SHARD_NAMES, type ShardName } from "#platform/databases/shard-name.ts";
import { newId } from "#platform/ids.ts";
import { Gate } from "../fault/gate.ts";
import { gatedDatabase } from "../fault/gated-env.ts";
import { billingEvent, NOW, paidFactOf, placeOrder } from "../support/billing.ts";
import { createWorkspaceOn, shardDatabase, withShards } from "../support/shards.ts";
import { seedWorkspace } from "../support/whole-workspace.ts";

/**
 * These lookups must not cost one query per shard. The directory finds a workspace's database. For a payment event or
 * share link, a second query on one shard finds the workspace.
 */

/** Records the database and method of each call. */
class NamedGate extends Gate {
  readonly #name: string;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  override pass<T>(call: string, go: () => Promise<T>): Promise<T> {
    calls.push(`${this.#name} ${call.replace("D1 ", "")}`);
    return super.pass(call, go);
  }
}

let calls: string[] = [];
let databases: Databases;

const realOf = (name: ShardName): D1Database =>
  name === "00" || name === "01" || name === "02" ? shardDatabase(name) : shardDatabase("03");

beforeAll(async () => {
  await withShards();
  databases = {
    directory: gatedDatabase(env.DB, new NamedGate("DB")),
    shards: new Map(SHARD_NAMES.map((name) => [name, gatedDatabase(realOf(name), new NamedGate(name))])),
  };
  const state = { bytes: 200_000_000, measuredAt: NOW, listedUpTo: null };
  await env.DB.batch(SHARD_NAMES.map((home) => saveShardState.bind(env.DB, { home, ...state })));
});

// Other test files create orders and shares on shards directly, so the directory does not list them.
afterAll(() => env.DB.prepare("DELETE FROM shard_states").run());

beforeEach(() => {
  calls = [];
});

const take = (fact: BillingFact, workspaceId?: string) =>
  applyEventAtHome(
    databases,
    { ...billingEvent(fact), ...(workspaceId === undefined ? {} : { workspaceId }) },
    NOW,
  );

it("a new workspace is placed on one of the emptiest shards with one query", async () => {
  await saveShardState.run(env.DB, { home: "07", bytes: 1, measuredAt: NOW, listedUpTo: null });
  expect(await chooseHome(databases)).toBe("07");
  expect(calls).toEqual(["DB all"]);
});

it("an unmeasured shard gets no workspace if another shard is measured", async () => {
  const [silent, ...measured] = SHARD_NAMES;
  await env.DB.prepare("DELETE FROM shard_states WHERE home = ?").bind(silent).run();
  for (let placed = 0; placed < 20; placed += 1) expect(measured).toContain(await chooseHome(databases));
  await saveShardState.run(env.DB, {
    home: silent ?? "",
    bytes: 200_000_000,
    measuredAt: NOW,
    listedUpTo: null,
  });
});

it("an event is applied in its workspace's database, even if it names only the payment", async () => {
  const { workspaceId } = await createWorkspaceOn("02");
  const paid = paidFactOf(await placeOrder(workspaceId, {}, shardDatabase("02")));
  const { paymentId } = paid;
  expect(await take(paid, workspaceId)).toEqual({ outcome: "applied", home: "02" });
  // Two queries find the workspace. The others list the payment, apply the event, and read waiting events.
  const rest = ["DB run", "02 first", "02 batch", "02 batch", "02 batch", "DB all"];
  expect(calls).toEqual(["DB batch", "02 first", ...rest]);
  calls = [];
  const refund = { kind: "refunded", paymentId, amountRefunded: 1_000, receiptUrl: null } as const;
  expect(await take(refund)).toEqual({ outcome: "applied", home: "02" });
  expect(calls).toEqual(["DB batch", "02 first", ...rest]);
});

it("an event of an unknown payment queries no shard", async () => {
  const refund = {
    kind: "refunded",
    paymentId: `pi_${newId()}`,
    amountRefunded: 1,
    receiptUrl: null,
  } as const;
  expect((await take(refund)).outcome).toBe("waiting");
  expect(calls.filter((call) => !call.startsWith("DB"))).toEqual([]);
});

it("a share link is found by one query, and by two once its workspace has moved and the old rows are gone", async () => {
  const workspaceId = await seedWorkspace(shardDatabase("02"));
  const find = shardDatabase("02").prepare("SELECT share_id FROM shares WHERE workspace_id = ?1");
  const shareId = (await find.bind(workspaceId).first<string>("share_id")) ?? "";
  await env.DB.prepare(
    "INSERT INTO workspaces (workspace_id, name, kind, created_at, home) VALUES (?1, 'x', 'standard', 7, '02')",
  )
    .bind(workspaceId)
    .run();
  expect(await findShare(databases, "02", shareId)).toEqual({ workspaceId, home: "02" });
  expect(calls).toEqual(["02 first"]);
  // Adds the share to the directory again, as the sweep does if a shard is listed incompletely.
  const last = workspaceId.slice(0, -1);
  await saveShardState.run(env.DB, { home: "02", bytes: 0, measuredAt: 0, listedUpTo: last });
  await recordShard(databases, "02", NOW);
  calls = [];
  expect(await findShare(databases, "01", shareId)).toEqual({ workspaceId, home: "02" });
  expect(calls).toEqual(["01 first", "DB batch"]);
});
