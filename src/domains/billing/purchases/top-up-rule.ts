import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { TopUpView } from "#api/schemas/billing.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import type { CreditOffer } from "#platform/bindings/offers.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import { pick } from "#platform/pick-members.ts";
import { utcMonthOf } from "#platform/utc-day.ts";
import { findCustomer, findSavedCard } from "../stripe/customer-and-saved-card.ts";
import { askStripe, openStripe } from "../stripe/stripe-library.ts";
import { findDisputeRefusal, findOffer } from "./checkout.ts";
import {
  boughtInMonth,
  deleteRule,
  openTopUp,
  ruleByWorkspace,
  type TopUpRule,
  upsertRule,
  withdrawTopUp,
} from "./top-up-store.ts";

export type NewRule = Omit<TopUpRule, "credits" | "currency" | "amount">;

function findCredits(service: BillingService, { offerId, monthlyCreditsMax }: NewRule): Outcome<CreditOffer> {
  const offer = findOffer(service, offerId);
  if (!offer.ok) return offer;
  if (offer.value.kind !== "credits")
    return refuse("OFFER_UNKNOWN", `${offerId} is a plan, which renews by itself.`);
  const { credits } = offer.value;
  return credits <= monthlyCreditsMax
    ? accept(offer.value)
    : refuse(
        "INVALID_REQUEST",
        `\`monthlyCreditsMax\` must be at least ${credits}, which one purchase buys.`,
      );
}

/**
 * Sets the rule at the offer's current price, and buys at once if the balance is below the threshold. 422
 * OFFER_UNKNOWN, 400 INVALID_REQUEST for a cap below one purchase, 409 PAYMENT_DISPUTED, 409 PAYMENT_METHOD_REQUIRED
 * without a saved card; 502 and 503 of `askStripe`.
 */
export async function setTopUpRule(
  db: D1Database,
  service: BillingService,
  rule: NewRule,
  nowMs: number,
): Promise<Outcome<TopUpView>> {
  const { workspaceId } = rule;
  const offer = findCredits(service, rule);
  if (!offer.ok) return offer;
  const disputed = await findDisputeRefusal(db, workspaceId);
  if (disputed !== null) return disputed;
  const customerId = await findCustomer(db, workspaceId);
  const library = await openStripe(service);
  const card =
    customerId === null ? accept(null) : await askStripe(library, () => findSavedCard(library, customerId));
  if (!card.ok) return card;
  if (card.value === null)
    return refuse("PAYMENT_METHOD_REQUIRED", "The payment provider has no saved card for this workspace.");
  const month = utcMonthOf(nowMs);
  const terms = pick(offer.value, "credits", "currency", "amount");
  await db.batch([
    upsertRule.bind(db, { ...rule, ...terms, nowMs }),
    openTopUp.bind(db, { topUpId: newId(), workspaceId, month, nowMs }),
  ]);
  const session = latest(db);
  const kept = await ruleByWorkspace.first(session, { workspaceId });
  if (kept === null) throw new Error("a rule that was set is not there");
  const bought = await boughtInMonth.first(session, { workspaceId, month });
  return accept({
    ...pick(kept, "offerId", "credits", "belowCredits", "monthlyCreditsMax", "status"),
    boughtThisMonth: bought?.credits ?? 0,
  });
}

/** Removes the rule and cancels an open purchase that has no payment yet. May be repeated. */
export async function removeTopUpRule(db: D1Database, workspaceId: string, nowMs: number): Promise<void> {
  await db.batch([deleteRule.bind(db, { workspaceId }), withdrawTopUp.bind(db, { workspaceId, nowMs })]);
}
