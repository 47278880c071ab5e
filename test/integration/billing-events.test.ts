import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { BillingFact } from "#domains/billing/events/billing-event.ts";
import { setSuspended } from "#domains/workspaces/store.ts";
import { newId } from "#platform/ids.ts";
import {
  apply,
  balanceOf,
  ledgerSumOf,
  NOW,
  NOW_SECONDS,
  paidFactOf,
  paymentsOf,
  placeOrder,
} from "../support/billing.ts";
import { execute, selectRow, selectRows } from "../support/database.ts";
import { paidJobId, spend } from "../support/ledger.ts";
import { createWorkspace } from "../support/workspace.ts";

/**
 * API §19.7, §19.8: payments that grant nothing, and other effects of payments and disputes. test/billing/ checks the
 * sums after any sequence of events.
 */

async function buy(request: { credits?: number; kind?: "credits" | "top-up" } = {}) {
  const { workspaceId } = await createWorkspace();
  const order = await placeOrder(workspaceId, request);
  const paid = paidFactOf(order);
  return { workspaceId, order, paymentId: paid.paymentId, paid };
}

const disputeOf = (paymentId: string, status: "inquiry" | "open" | "won" | "lost", amount = 1_000) => ({
  kind: "disputed" as const,
  paymentId,
  disputeId: `du_${paymentId}`,
  amount,
  currency: "eur",
  status,
});

const suspensionOf = (workspaceId: string) =>
  selectRow<{
    suspended_at: number | null;
    suspended_for: string | null;
  }>`SELECT suspended_at, suspended_for FROM workspaces WHERE workspace_id = ${workspaceId}`;

describe("a payment of an order", () => {
  it.each([
    ["another sum", { amount: 999 }],
    ["another currency", { currency: "usd" }],
    ["an unknown order", { orderId: "none" }],
  ])("grants nothing for %s", async (_, change) => {
    const { workspaceId, paid } = await buy();
    expect(await apply({ ...paid, ...change })).toBe("refused");
    expect(await balanceOf(workspaceId)).toBe(0);
    expect(await paymentsOf(workspaceId)).toEqual([]);
  });

  it("grants nothing to an ended workspace", async () => {
    const { workspaceId, paid } = await buy();
    await execute`UPDATE workspaces SET expires_at = ${NOW - 1} WHERE workspace_id = ${workspaceId}`;
    expect(await apply(paid)).toBe("refused");
    expect(await balanceOf(workspaceId)).toBe(0);
  });

  it("marks its automatic purchase as paid", async () => {
    const { workspaceId, order, paid } = await buy({ kind: "top-up" });
    await execute`INSERT INTO top_ups (top_up_id, workspace_id, offer_id, credits, month, status, created_at)
      VALUES (${order.orderId}, ${workspaceId}, 'starter', 100, '2026-11', 'open', ${NOW})`;
    await apply(paid);
    expect(await selectRow`SELECT status FROM top_ups WHERE top_up_id = ${order.orderId}`).toEqual({
      status: "paid",
    });
  });

  it("gets its receipt's URL from its charge, in either order of events", async () => {
    const receiptUrl = "https://pay.stripe.test/receipts/1";
    for (const isChargeFirst of [true, false]) {
      const { workspaceId, paymentId, paid } = await buy();
      const charged = { kind: "charged" as const, paymentId, receiptUrl };
      for (const fact of isChargeFirst ? [charged, paid] : [paid, charged]) await apply(fact);
      expect(await paymentsOf(workspaceId)).toMatchObject([{ receipt_url: receiptUrl, credits_held: 100 }]);
    }
  });

  it("mails a receipt once to owners with a confirmed address", async () => {
    const { workspaceId, paymentId, paid } = await buy();
    const accountId = newId();
    await execute`INSERT INTO accounts (account_id, name, email, is_email_verified, created_at, updated_at)
      VALUES (${accountId}, 'Ada', ${`${accountId}@example.test`}, 1, 1, 1)`;
    await execute`INSERT INTO workspace_members (workspace_id, account_id, role, created_at)
      VALUES (${workspaceId}, ${accountId}, 'owner', 1)`;
    await apply(paid);
    await apply(paid);
    const mails =
      await selectRows`SELECT kind, address FROM mail_messages WHERE reference LIKE ${`receipt:${paymentId}:%`}`;
    expect(mails).toEqual([{ kind: "receipt", address: `${accountId}@example.test` }]);
  });
});

type Bought = Awaited<ReturnType<typeof buy>>;
/**
 * A step in a payment's life: a fact from the provider or a number of spent credits, its time in seconds, and the
 * balance after it.
 */
type Step = readonly [what: ((bought: Bought) => BillingFact) | number, atSeconds: number, balance: number];

const PAID: Step = [({ paid }) => paid, 0, 100];
const dispute = (status: Parameters<typeof disputeOf>[1]) => (bought: Bought) =>
  disputeOf(bought.paymentId, status);
/** Runs the steps and returns the purchase. */
async function live(steps: readonly Step[]): Promise<Bought> {
  const bought = await buy();
  for (const [what, atSeconds, balance] of steps) {
    if (typeof what === "number") await paidJobId(spend(bought.workspaceId, what, NOW));
    else await apply(what(bought), NOW_SECONDS + atSeconds);
    expect(await balanceOf(bought.workspaceId)).toBe(balance);
  }
  expect(await ledgerSumOf(bought.paymentId)).toBe((await paymentsOf(bought.workspaceId))[0]?.credits_held);
  return bought;
}

describe("a dispute of spent credits", () => {
  const SPENT: Step[] = [PAID, [1, 0, 99], [dispute("open"), 0, 0]];
  const win = ({ paymentId }: Bought) => apply(disputeOf(paymentId, "won"), NOW_SECONDS + 1);

  it("suspends the workspace until nothing is owed", async () => {
    const bought = await live(SPENT);
    expect(await suspensionOf(bought.workspaceId)).toEqual({ suspended_at: NOW, suspended_for: "dispute" });
    await win(bought);
    expect(await suspensionOf(bought.workspaceId)).toEqual({ suspended_at: null, suspended_for: null });
    expect(await balanceOf(bought.workspaceId)).toBe(99);
  });

  it("keeps an operator's suspension, whether earlier or later", async () => {
    const since = await live(SPENT);
    await setSuspended.run(env.DB, { workspaceId: since.workspaceId, sinceMs: null });
    const before = await live(SPENT.slice(0, 2));
    for (const { workspaceId } of [since, before]) {
      await setSuspended.run(env.DB, { workspaceId, sinceMs: 7 });
    }
    await apply(disputeOf(before.paymentId, "open"));
    for (const bought of [since, before]) {
      await win(bought);
      expect(await suspensionOf(bought.workspaceId)).toEqual({ suspended_at: 7, suspended_for: null });
    }
  });
});
