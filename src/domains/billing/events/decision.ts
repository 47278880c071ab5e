import type { RefusalReason } from "../payments/payment-effects.ts";
import type { EventOutcome } from "../store.ts";

/** What an event comes to, and the statements that carry it out, for one batch with the event's own row. */
export interface Decision {
  readonly outcome: EventOutcome;
  readonly statements: readonly D1PreparedStatement[];
  /** Why it is refused, or waits for more than another event of its own. */
  readonly reason: RefusalReason | null;
  readonly workspaceId: string | null;
}

export const without = (outcome: EventOutcome, reason: RefusalReason | null = null): Decision => ({
  outcome,
  statements: [],
  reason,
  workspaceId: null,
});
