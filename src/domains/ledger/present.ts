import { CREDITS_PER_SIZE } from "#api/prices.ts";
import type { BalanceView } from "#api/schemas/balance.ts";
import type { LedgerEventView } from "#api/schemas/usage.ts";
import { toTimestamp } from "#platform/clock.ts";
import { pick } from "#platform/pick-members.ts";
import { accessTypeOf, type PaidAccess } from "./payment.ts";
import type { StoredEvent } from "./store.ts";

export function presentBalance(access: PaidAccess): BalanceView {
  const { subscription } = access;
  return {
    accessType: accessTypeOf(access),
    unit: "credit",
    credits: { available: access.credits },
    subscription:
      subscription === null
        ? null
        : {
            status: subscription.status,
            quota: {
              limit: subscription.quotaLimit,
              used: subscription.quotaUsed,
              remaining: subscription.quotaLimit - subscription.quotaUsed,
              resetsAt: toTimestamp(subscription.periodEnd),
            },
          },
    prices: { static: CREDITS_PER_SIZE.static, animated: CREDITS_PER_SIZE.animated },
  };
}

export const presentEvent = (event: StoredEvent): LedgerEventView => ({
  eventId: String(event.eventId),
  type: event.type,
  amount: event.amount,
  unit: "credit",
  ...pick(event, "source", "balanceAfter", "jobId", "description"),
  createdAt: toTimestamp(event.createdAt),
});
