import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { signGrant } from "#domains/artifacts/download-token.ts";
import { applyEventAtHome } from "#domains/billing/apply-event.ts";
import type { BillingFact } from "#domains/billing/events/billing-event.ts";
import { findShare, readShareToken, signShare } from "#domains/shares/share-token.ts";
import { type Databases, everyDatabase } from "#platform/databases/databases.ts";
import { findHome } from "#platform/databases/workspace-location-store.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { newId } from "#platform/ids.ts";
import { billingEvent, NOW, NOW_SECONDS, paidFactOf, placeOrder } from "../support/billing.ts";
import {
  copyRowsToShard,
  createWorkspaceOn,
  databasesOf,
  shardDatabase,
  withShards,
} from "../support/shards.ts";
import { call, type Settings } from "../support/workspace.ts";

let settings: Settings;
let databases: Databases;

beforeAll(async () => {
  settings = await withShards();
  databases = databasesOf(settings);
});

const take = (fact: BillingFact, atSeconds = NOW_SECONDS) =>
  applyEventAtHome(databases, billingEvent(fact, atSeconds), NOW);

const creditsOn = (db: D1Database, workspaceId: string) =>
  db.prepare("select credits from workspaces where workspace_id = ?1").bind(workspaceId).first("credits");

async function orderOn(shard: "02") {
  const { workspaceId } = await createWorkspaceOn(shard);
  const paid = paidFactOf(await placeOrder(workspaceId, {}, shardDatabase(shard)));
  return { workspaceId, paymentId: paid.paymentId, paid };
}

describe("a payment event", () => {
  it("is applied on the shard of its order, once", async () => {
    const { workspaceId, paid } = await orderOn("02");
    const event = billingEvent(paid);
    for (let times = 0; times < 2; times += 1) {
      expect(await applyEventAtHome(databases, event, NOW)).toEqual({ outcome: "applied", home: "02" });
    }
    expect(await creditsOn(shardDatabase("02"), workspaceId)).toBe(100);
    expect(await creditsOn(env.DB, workspaceId)).toBe(0);
  });

  it("that arrives before its payment waits in `DB`, and is passed on with it", async () => {
    const { workspaceId, paymentId, paid } = await orderOn("02");
    const refund = { kind: "refunded", paymentId, amountRefunded: 1_000, receiptUrl: null } as const;
    expect((await take(refund, NOW_SECONDS + 1)).outcome).toBe("waiting");
    expect(await take(paid)).toEqual({ outcome: "applied", home: "02" });
    expect(await creditsOn(shardDatabase("02"), workspaceId)).toBe(0);
    const waiting = env.DB.prepare("select outcome from billing_events where object_id = ?1");
    expect(await waiting.bind(paymentId).first("outcome")).toBe("ignored");
    const ledger = shardDatabase("02").prepare(
      "select count(*) as count from ledger_events where workspace_id = ?1",
    );
    const events = await ledger.bind(workspaceId).first("count");
    await take(paid);
    expect(await ledger.bind(workspaceId).first("count")).toBe(events);
  });

  it("is refused and resent while the directory does not yet record the move of its workspace", async () => {
    const { workspaceId, paid } = await orderOn("02");
    const leave = shardDatabase("02").prepare("update workspaces set home = '03' where workspace_id = ?1");
    await leave.bind(workspaceId).run();
    const event = { ...billingEvent(paid), workspaceId };
    await expect(applyEventAtHome(databases, event, NOW)).rejects.toSatisfy(isMovingError);
  });

  it("that is stored as waiting just after its payment arrived is also passed on", async () => {
    const { workspaceId, paymentId, paid } = await orderOn("02");
    const refund = { kind: "refunded", paymentId, amountRefunded: 1_000, receiptUrl: null } as const;
    const batch = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, "batch").mockImplementationOnce(async (statements: D1PreparedStatement[]) => {
      expect((await take(paid)).outcome).toBe("applied");
      return batch(statements);
    });
    expect((await take(refund, NOW_SECONDS + 1)).outcome).toBe("waiting");
    expect(await creditsOn(shardDatabase("02"), workspaceId)).toBe(0);
  });

  it("of an unknown order is refused, and changes nothing", async () => {
    const paid = { kind: "payment-succeeded", paymentId: "pi_x", orderId: newId() } as const;
    expect((await take({ ...paid, amount: 1, currency: "eur" })).outcome).toBe("refused");
  });
});

const KEYS = { current: "k".repeat(40), previous: null };

describe("a link", () => {
  it("names the shard on which it was signed; an older link names no shard", async () => {
    const expiresAtMs = NOW + 1;
    const old = await signShare(KEYS, "share", expiresAtMs);
    expect(await readShareToken(KEYS, old, NOW)).toEqual({ shareId: "share", madeAt: "DB" });
    const made = await signShare({ ...KEYS, home: "02" }, "share", expiresAtMs);
    expect(await readShareToken(KEYS, made, NOW)).toEqual({ shareId: "share", madeAt: "02" });
  });

  it("finds its workspace's current database from each former database", async () => {
    const { workspaceId } = await createWorkspaceOn("02");
    await copyRowsToShard(workspaceId, "02", "03");
    for (const from of ["DB", "02", "03"] as const) {
      expect(await findHome(databases, from, workspaceId)).toBe("03");
    }
    expect(await findHome(databases, "01", workspaceId)).toBeNull();
    expect(await findHome({ directory: env.DB, shards: new Map() }, "DB", workspaceId)).toBe("DB");
  });

  it("of an unknown share or pack opens nothing", async () => {
    expect(await findShare(databases, "02", newId())).toBeNull();
    const keys = { current: env.DOWNLOAD_SIGNING_KEY ?? "", previous: null, home: "02" as const };
    const grant = {
      workspaceId: newId(),
      artifactId: newId(),
      fileId: null,
      expiresAtMs: Date.now() + 60_000,
    };
    const opened = await call("GET", `/api/v1/downloads/${await signGrant(keys, grant)}`, { settings });
    expect(opened.body.error.code).toBe("ARTIFACT_NOT_FOUND");
    expect(everyDatabase(databases).map(({ home }) => home)).toEqual(["DB", "00", "01", "02", "03"]);
  });
});
