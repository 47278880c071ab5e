import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import { findCustomer } from "../stripe/customer-and-saved-card.ts";
import { askStripe, openStripe } from "../stripe/stripe-library.ts";

/**
 * The provider's page to change or cancel the plan, change the card and read invoices
 * (docs.stripe.com/customer-management). Valid for one visit. 409 NOTHING_BOUGHT, 502 and 503 of `askStripe`.
 */
export async function openPortal(
  db: D1Database,
  service: BillingService,
  workspaceId: string,
  returnUrl: string,
): Promise<Outcome<{ readonly url: string }>> {
  const customer = await findCustomer(db, workspaceId);
  if (customer === null) return refuse("NOTHING_BOUGHT", "The workspace has bought nothing yet.");
  const library = await openStripe(service);
  const session = await askStripe(library, () =>
    library.client.billingPortal.sessions.create({ customer, return_url: returnUrl }),
  );
  return session.ok ? accept({ url: session.value.url }) : session;
}
