import { LIMITS } from "#api/limits.ts";
import { deleteOldEvents } from "#domains/billing/events/event-store.ts";
import { collectOwed } from "#domains/billing/payments/collect-owed.ts";
import { deleteOldOrders } from "#domains/billing/payments/payment-store.ts";
import { attemptTopUps } from "#domains/billing/purchases/attempt-top-ups.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import { ROWS_MAX, type Sweep } from "./sweep.ts";

/** A read and a batch each. */
const OWING_MAX = 20;
/** Five requests to the provider each, and as many to the database. */
const TOP_UPS_MAX = 20;

/** Credits that are owed or to be bought again, and what the provider has told long ago. */
export function billingSweeps(
  db: D1Database,
  billing: BillingService | null,
  nowMs: number,
): readonly Sweep[] {
  const unusedBeforeMs = nowMs - LIMITS.unusedOrderRetentionMs;
  const sweeps: Sweep[] = [
    { event: "sweep_owed_credits", run: () => collectOwed(db, nowMs, OWING_MAX) },
    {
      event: "sweep_old_orders",
      run: () => deleteOldOrders.run(db, { createdBeforeMs: unusedBeforeMs, limit: ROWS_MAX }),
    },
    {
      event: "sweep_old_billing_events",
      run: () => deleteOldEvents.run(db, { receivedBeforeMs: unusedBeforeMs, limit: ROWS_MAX }),
    },
  ];
  if (billing !== null) {
    sweeps.push({ event: "sweep_top_ups", run: () => attemptTopUps(db, billing, nowMs, TOP_UPS_MAX) });
  }
  return sweeps;
}
