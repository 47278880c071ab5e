import type { PaymentIntent, StripeEvent, StripeObject } from "./objects.ts";

/** Answers in the forms of Stripe's interface. */

/** https://docs.stripe.com/api/errors */
export const refusal = (
  status: number,
  message: string,
  code: string | null = null,
  type = "invalid_request_error",
): Response => Response.json({ error: { type, message, ...(code === null ? {} : { code }) } }, { status });

export const missing = (what: string, id: string): Response =>
  refusal(404, `No such ${what}: '${id}'`, "resource_missing");

/** https://docs.stripe.com/api/errors: a declined card is a 402 with the PaymentIntent in it. */
export const declined = (intent: PaymentIntent): Response =>
  Response.json({ error: { ...intent.last_payment_error, payment_intent: intent } }, { status: 402 });

const LIMIT_DEFAULT = 10;

/** A page of a list, newest first. https://docs.stripe.com/api/pagination */
export function page(url: URL, items: readonly (StripeObject | StripeEvent)[]): Response {
  const query = url.searchParams;
  const from = Number(query.get("created[gte]") ?? 0);
  const to = Number(query.get("created[lte]") ?? query.get("created[lt]") ?? Number.POSITIVE_INFINITY);
  const matching = items.filter(({ created }) => created >= from && created <= to).toReversed();
  const after = query.get("starting_after");
  const start = after === null ? 0 : matching.findIndex(({ id }) => id === after) + 1;
  const end = start + Number(query.get("limit") ?? LIMIT_DEFAULT);
  return Response.json({
    object: "list",
    data: matching.slice(start, end),
    has_more: matching.length > end,
    url: url.pathname,
  });
}
