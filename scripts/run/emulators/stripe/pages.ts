import { escapeHtml, htmlPage } from "../html-page.ts";
import type { StripeBook } from "./book.ts";
import type { Charge, CheckoutSession, Invoice, PortalSession, Subscription } from "./objects.ts";

/** Replacements of Stripe's pages: checkout, receipts, invoices and the customer portal. */

const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat("en", { style: "currency", currency }).format(amount / 100);

const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

const entriesOf = (entries: readonly (readonly [string, string])[]): string =>
  `<dl>${entries.map(([term, value]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(value)}</dd>`).join("")}</dl>`;

export const checkoutPage = (session: CheckoutSession, cancelUrl: string): Response =>
  htmlPage(
    "Checkout",
    `<form method="post" action="/checkout/${escapeHtml(session.id)}/complete"><button>Pay ${money(session.amount_total, session.currency)}</button></form>
<p><a href="${escapeHtml(cancelUrl)}">Cancel</a></p>`,
  );

export const receiptPage = (charge: Charge): Response =>
  htmlPage(
    "Receipt",
    entriesOf([
      ["Paid", money(charge.amount, charge.currency)],
      ["Refunded", money(charge.amount_refunded, charge.currency)],
      ["On", day(charge.created)],
      ["Number", charge.id],
    ]),
  );

export const invoicePage = (invoice: Invoice): Response =>
  htmlPage(
    "Invoice",
    entriesOf([
      ["Sum", money(invoice.total, invoice.currency)],
      ["Status", invoice.status],
      ["On", day(invoice.created)],
    ]),
  );

function planSection(plan: Subscription, sessionId: string): string {
  const end = day(plan.period.end);
  const [state, path, label] = plan.cancel_at_period_end
    ? [`ends on ${end}`, "resume", "Don't cancel plan"]
    : [`renews on ${end}`, "cancel", "Cancel plan"];
  return `${entriesOf([
    ["Plan", `${money(plan.price.amount, plan.price.currency)} a month`],
    ["Status", `${plan.status}, ${state}`],
  ])}<form method="post" action="/portal/${escapeHtml(sessionId)}/${path}"><button>${label}</button></form>`;
}

/** The customer's plan if there is one, receipts, and the return link. */
export function portalPage(book: StripeBook, session: PortalSession, plan: Subscription | null): Response {
  const receipts = book
    .all("charge")
    .filter(({ customer, paid }) => customer === session.customer && paid)
    .map(({ id, amount, currency, created }) => {
      const label = `${day(created)}, ${money(amount, currency)}`;
      return `<li><a href="/receipts/${escapeHtml(id)}">${escapeHtml(label)}</a></li>`;
    });
  return htmlPage(
    "Billing",
    `${plan === null ? "<p>No plan.</p>" : planSection(plan, session.id)}<h2>Payments</h2><ul>${receipts.join("")}</ul>
<p><a href="${escapeHtml(session.return_url)}">Return to Creative Packs</a></p>`,
  );
}
