import type { StripeBook } from "./book.ts";
import { itemOf } from "./plans.ts";
import type { ObjectOf } from "./schemas.ts";

/** Pages in place of Stripe's own: receipts, invoices and the customer portal. */

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 34rem; padding: 2rem 1rem; }
h1 { font-size: 1.5rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dd { margin: 0; text-align: right; }
button { font: inherit; padding: .5rem 1rem; }
`;

/** A page that says at its top that no money moves. `body` is HTML. */
export function htmlPage(title: string, body: string, status = 200): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style>
<main><p>A simulated page on this machine. No money moves.</p><h1>${escapeHtml(title)}</h1>${body}</main></html>`;
  return new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat("en", { style: "currency", currency }).format(amount / 100);

const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

const terms = (entries: readonly (readonly [string, string])[]): string =>
  `<dl>${entries.map(([term, value]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(value)}</dd>`).join("")}</dl>`;

export function receiptPage(charge: ObjectOf<"charge">): Response {
  return htmlPage(
    "Receipt",
    terms([
      ["Paid", money(charge.amount, charge.currency)],
      ["Refunded", money(charge.amount_refunded, charge.currency)],
      ["On", day(charge.created)],
      ["Number", charge.id],
    ]),
  );
}

export function invoicePage(invoice: ObjectOf<"invoice">): Response {
  const period = invoice.lines.data[0]?.period ?? { start: invoice.created, end: invoice.created };
  return htmlPage(
    `Invoice ${invoice.number}`,
    terms([
      ["Sum", money(invoice.total, invoice.currency)],
      ["Status", invoice.status],
      ["Period", `${day(period.start)} to ${day(period.end)}`],
    ]),
  );
}

function planSection(subscription: ObjectOf<"subscription">, sessionId: string): string {
  const { price, current_period_end: end } = itemOf(subscription);
  const isLeaving = subscription.cancel_at_period_end;
  const state = isLeaving ? `ends on ${day(end)}` : `renews on ${day(end)}`;
  const [path, label] = isLeaving ? ["resume", "Don't cancel plan"] : ["cancel", "Cancel plan"];
  return `${terms([
    ["Plan", `${money(price.unit_amount, price.currency)} a month`],
    ["Status", `${subscription.status}, ${state}`],
  ])}<form method="post" action="/portal/${escapeHtml(sessionId)}/${path}">
<input type="hidden" name="subscription" value="${escapeHtml(subscription.id)}"><button>${label}</button></form>`;
}

export function portalPage(book: StripeBook, session: ObjectOf<"billing_portal.session">): Response {
  const plans = book
    .all("subscription")
    .filter(({ customer, status }) => customer === session.customer && status !== "canceled");
  const sections = plans.map((plan) => planSection(plan, session.id)).join("");
  const receipts = book
    .all("charge")
    .filter(({ customer, paid }) => customer === session.customer && paid)
    .map(
      ({ id, amount, currency, created }) =>
        `<li><a href="/receipts/${escapeHtml(id)}">${escapeHtml(`${day(created)}, ${money(amount, currency)}`)}</a></li>`,
    )
    .join("");
  const back =
    session.return_url === null
      ? ""
      : `<p><a href="${escapeHtml(session.return_url)}">Return to Creative Packs</a></p>`;
  return htmlPage(
    "Billing",
    `${sections === "" ? "<p>No plan.</p>" : sections}<h2>Payments</h2><ul>${receipts}</ul>${back}`,
  );
}
