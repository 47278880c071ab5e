import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { applyEventAtHome } from "#domains/billing/apply-event.ts";
import type { BillingEvent, BillingFact, FactOf } from "#domains/billing/events/billing-event.ts";
import { clock } from "#platform/clock.ts";
import { databaseOf } from "#platform/databases/databases.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { newId } from "#platform/ids.ts";
import { Gate, Pause } from "../fault/gate.ts";
import { stressScale } from "../stress/scale.ts";
import { billingEvent, NOW, NOW_SECONDS, placeOrder } from "../support/billing.ts";
import { gatedDatabases, moveTo } from "../support/moves.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { createWorkspaceOn, shardDatabase, shardedDatabases, withShards } from "../support/shards.ts";

/**
 * A workspace's payment events move with it, even those that belong to it only through another event. An event that
 * arrives during the move is applied once in the new database, or refused, so that the provider resends it.
 */

const MONTH = 30 * 86_400;
const databases = shardedDatabases();
let nowMs = NOW;

beforeAll(withShards);
beforeEach(() => {
  silenceLogs();
  vi.spyOn(clock, "now").mockImplementation(() => nowMs);
});

const take = (event: BillingEvent) => applyEventAtHome(databases, event, NOW);
const tell = (fact: BillingFact, seconds = 0) => take(billingEvent(fact, NOW_SECONDS + seconds));

const move = (workspaceId: string, target: Home): Promise<void> =>
  moveTo(databases, workspaceId, target, (ms) => {
    nowMs += ms;
  });

/** An order of credits or a plan, on its workspace's shard. */
async function placeOrderOn(shard: "02" | "03", workspaceId: string, kind: "plan" | "credits") {
  const plan = { kind: "plan", credits: 0, quota: 20 } as const;
  return (await placeOrder(workspaceId, kind === "plan" ? plan : {}, shardDatabase(shard))).orderId;
}

/** The first invoice of an ordered plan. */
async function invoiceOf(workspaceId: string): Promise<FactOf<"invoice-paid">> {
  return {
    kind: "invoice-paid",
    ...{ invoiceId: `in_${newId()}`, subscriptionId: `sub_${newId()}`, intentId: null },
    orderId: await placeOrderOn("02", workspaceId, "plan"),
    ...{ amount: 1_000, currency: "eur", plan: { offerId: "studio", quota: 20 }, receiptUrl: null },
    ...{ periodStart: NOW_SECONDS, periodEnd: NOW_SECONDS + MONTH },
  };
}

const refundOf = (paymentId: string, amountRefunded = 1_000) =>
  ({ kind: "refunded", paymentId, amountRefunded, receiptUrl: null }) as const;

/**
 * A workspace with an active plan, and the paid invoice of a second plan, which waits until the first plan has ended.
 */
async function twoPlans() {
  const { workspaceId } = await createWorkspaceOn("02");
  const [first, second] = [await invoiceOf(workspaceId), await invoiceOf(workspaceId)];
  expect(await tell(first)).toEqual({ outcome: "applied", home: "02" });
  expect(await tell(second)).toEqual({ outcome: "waiting", home: "02" });
  const { subscriptionId, orderId } = first;
  const ended = { kind: "subscription-changed", subscriptionId, orderId, status: "canceled" } as const;
  return { workspaceId, second, ended: { ...ended, cancelAt: null, endedAt: NOW_SECONDS + 60 } };
}

/** The payment rows of an invoice in all databases. */
async function paymentsOf({ invoiceId }: FactOf<"invoice-paid">) {
  const found: unknown[] = [];
  for (const home of ["DB", "00", "01", "02", "03"] as const) {
    const read = databaseOf(databases, home)?.prepare(
      "select ?2 as home, intent_id, amount_refunded, amount_disputed from payments where payment_id = ?1",
    );
    found.push(...((await read?.bind(invoiceId, home).all())?.results ?? []));
  }
  return found;
}

describe("an invoice that waits for another plan's end", () => {
  it("moves with the events of its payment, which are applied with it", async () => {
    const { workspaceId, second, ended } = await twoPlans();
    const intentId = `pi_${newId()}`;
    await tell({ kind: "invoice-intent", invoiceId: second.invoiceId, intentId });
    await tell(refundOf(intentId, 300), 1);
    await move(workspaceId, "03");
    const dispute = { disputeId: "dp_1", amount: 200, currency: "eur", status: "open" } as const;
    expect(await tell({ kind: "disputed", paymentId: intentId, ...dispute }, 2)).toEqual({
      outcome: "waiting",
      home: "03",
    });
    await move(workspaceId, "DB");
    expect(await tell(ended, 60)).toEqual({ outcome: "applied", home: "DB" });
    expect(await paymentsOf(second)).toEqual([
      { home: "DB", intent_id: intentId, amount_refunded: 300, amount_disputed: 200 },
    ]);
  });

  it("moves with events that name its PaymentIntent", async () => {
    const { workspaceId } = await twoPlans();
    const third = { ...(await invoiceOf(workspaceId)), intentId: `pi_${newId()}` };
    await tell(third);
    expect(await tell(refundOf(third.intentId, 300), 1)).toEqual({ outcome: "waiting", home: "02" });
    await move(workspaceId, "03");
    expect(
      await shardDatabase("03")
        .prepare("select outcome from billing_events where object_id = ?1")
        .bind(third.intentId)
        .first("outcome"),
    ).toBe("waiting");
  });
});

/** The handling of an event begins with parallel queries for its workspace in five databases. */
const LOOKS = 5;

/** Delays an event at each step of its handling while its workspace moves and the old rows are deleted. */
async function hangsWhileMoving(
  begin: () => Promise<{ workspaceId: string; event: BillingEvent }>,
  check: (workspaceId: string) => Promise<void>,
): Promise<void> {
  let steps = 0;
  for (let isReached = true; isReached; steps += 1) {
    const { workspaceId, event } = await begin();
    const pause = new Pause(LOOKS + steps);
    const hanging = applyEventAtHome(gatedDatabases(databases, new Gate(pause)), event, NOW).then(
      () => true,
      (thrown: unknown) => !isMovingError(thrown) && thrown,
    );
    isReached = await Promise.race([pause.reached.then(() => true), hanging.then(() => false)]);
    if (isReached) await move(workspaceId, "03");
    pause.release();
    expect(typeof (await hanging), `hung at step ${steps}`).toBe("boolean");
    if (!(await hanging)) await take(event);
    await check(workspaceId);
  }
  expect(steps).toBeGreaterThan(2);
}

describe("an event delayed while its workspace moves", () => {
  it("grants the payment's credits once", async () => {
    await hangsWhileMoving(
      async () => {
        const { workspaceId } = await createWorkspaceOn("02");
        const orderId = await placeOrderOn("02", workspaceId, "credits");
        const paid = { kind: "payment-succeeded", paymentId: `pi_${orderId}`, orderId } as const;
        return { workspaceId, event: billingEvent({ ...paid, amount: 1_000, currency: "eur" }) };
      },
      async (workspaceId) => {
        const credits = await Promise.all(
          [shardDatabase("02"), shardDatabase("03")].map((db) =>
            db
              .prepare("select credits from workspaces where workspace_id = ?1")
              .bind(workspaceId)
              .first<number>("credits"),
          ),
        );
        expect(credits.filter((one) => one !== null && one > 0)).toEqual([100]);
      },
    );
  });

  it("is kept in the database that will record its payment", async () => {
    let told: Awaited<ReturnType<typeof twoPlans>> | null = null;
    await hangsWhileMoving(
      async () => {
        told = await twoPlans();
        const intentId = `pi_${told.second.invoiceId}`;
        await tell({ kind: "invoice-intent", invoiceId: told.second.invoiceId, intentId });
        return { workspaceId: told.workspaceId, event: billingEvent(refundOf(intentId, 400)) };
      },
      async () => {
        if (told === null) throw new Error("nothing was told");
        await tell(told.ended, 60);
        expect(await paymentsOf(told.second)).toMatchObject([{ amount_refunded: 400 }]);
      },
    );
  });
});

it("an event that waited in DB is applied there, if its payment becomes known on a shard that the workspace has left", async () => {
  const { workspaceId } = await createWorkspaceOn("02");
  const orderId = await placeOrderOn("02", workspaceId, "credits");
  const paymentId = `pi_${orderId}`;
  expect(await tell(refundOf(paymentId), 1)).toEqual({ outcome: "waiting", home: "DB" });
  const order = { kind: "payment-succeeded", paymentId, orderId, amount: 1_000, currency: "eur" } as const;
  const paid = billingEvent(order);
  const isApplied = async () =>
    (await shardDatabase("02")
      .prepare("select 1 as one from payments where payment_id = ?1")
      .bind(paymentId)
      .first("one")) === 1;
  // The process is killed at the first call after the payment's batch.
  for (let step = 0; !(await isApplied()); step += 1) {
    const gate = new Gate({ step, kind: "kill-after" });
    await expect(applyEventAtHome(gatedDatabases(databases, gate), paid, NOW)).rejects.toThrow();
  }
  await move(workspaceId, "DB");
  expect((await take(paid)).home).toBe("DB");
  expect(
    await env.DB.prepare("select credits from workspaces where workspace_id = ?1")
      .bind(workspaceId)
      .first("credits"),
  ).toBe(0);
});

it("events of an invoice that is paid later are applied in any order", async () => {
  const { workspaceId } = await createWorkspaceOn("02");
  const invoice = await invoiceOf(workspaceId);
  const { invoiceId, subscriptionId, orderId } = invoice;
  const intentId = `pi_${newId()}`;
  await tell(refundOf(intentId, 100), 1);
  await tell({ kind: "invoice-intent", invoiceId, intentId }, 2);
  await tell({ kind: "invoice-failed", invoiceId, subscriptionId, orderId }, 3);
  await tell(refundOf(intentId, 300), 4);
  expect(await tell(invoice, 5)).toEqual({ outcome: "applied", home: "02" });
  expect(await paymentsOf(invoice)).toMatchObject([{ intent_id: intentId, amount_refunded: 300 }]);
});

it("every event that waited in DB is passed on, no matter at which step a delivery was killed", async () => {
  const stride = stressScale().isQuick ? 3 : 1;
  let steps = 0;
  for (let isKilled = true; isKilled; steps += stride) {
    const { workspaceId } = await createWorkspaceOn("02");
    const invoice = await invoiceOf(workspaceId);
    const intentId = `pi_${newId()}`;
    await tell(refundOf(intentId, 100), 1);
    await tell({ kind: "invoice-intent", invoiceId: invoice.invoiceId, intentId }, 2);
    const dispute = { disputeId: "dp_1", amount: 200, currency: "eur", status: "open" } as const;
    await tell({ kind: "disputed", paymentId: intentId, ...dispute }, 3);
    await tell(refundOf(intentId, 300), 4);
    const paid = billingEvent(invoice, NOW_SECONDS + 5);
    const gate = new Gate({ step: LOOKS + steps, kind: "kill-before" });
    isKilled = await applyEventAtHome(gatedDatabases(databases, gate), paid, NOW).then(
      () => false,
      () => true,
    );
    expect((await take(paid)).outcome, `killed at step ${steps}`).toBe("applied");
    const waiting = await env.DB.prepare(
      "select event_id from billing_events where object_id in (?1, ?2) and outcome = 'waiting'",
    )
      .bind(invoice.invoiceId, intentId)
      .all();
    expect(waiting.results, `killed at step ${steps}`).toEqual([]);
    expect(await paymentsOf(invoice)).toEqual([
      { home: "02", intent_id: intentId, amount_refunded: 300, amount_disputed: 200 },
    ]);
  }
  expect(steps).toBeGreaterThan(10);
});
