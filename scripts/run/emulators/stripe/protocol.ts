/** Stripe's protocol: form-encoded requests, JSON responses, pages of lists, idempotency keys. */
import type { PaymentIntent, StripeEvent, StripeObject } from "./objects.ts";

/** Parameters by bracketed name, such as `line_items[0][price]`. */
export type Form = ReadonlyMap<string, string>;

/** Members of a map parameter: `metadata[a]` and `metadata[b]` as {a, b}. */
export const readMap = (form: Form, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...form]
      .filter(([key]) => key.startsWith(`${name}[`))
      .map(([key, value]) => [key.slice(name.length + 1, -1), value]),
  );

/** https://docs.stripe.com/api/errors */
export const refusal = (
  status: number,
  message: string,
  code: string | null = null,
  type = "invalid_request_error",
): Response => Response.json({ error: { type, message, ...(code === null ? {} : { code }) } }, { status });

export const missing = (what: string, id: string): Response =>
  refusal(404, `No such ${what}: '${id}'`, "resource_missing");

/** https://docs.stripe.com/api/errors: a declined card is a 402 that contains the PaymentIntent. */
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

/** Returns the first response again for the same key and request. https://docs.stripe.com/api/idempotent_requests */
export function idempotentAnswers() {
  const kept = new Map<string, { readonly request: string; readonly answer: Promise<Response> }>();
  return async (key: string, request: string, execute: () => Promise<Response>): Promise<Response> => {
    const known = kept.get(key);
    if (known === undefined) {
      const answer = execute();
      kept.set(key, { request, answer });
      // Requests that were rejected before any effect, or failed, can be retried.
      answer.then(
        ({ status }) => status >= 400 && status !== 402 && kept.delete(key),
        () => kept.delete(key),
      );
      return (await answer).clone();
    }
    if (known.request === request) return (await known.answer).clone();
    const message =
      "Keys for idempotent requests can only be used with the same parameters they were first used with.";
    return refusal(400, message, null, "idempotency_error");
  };
}
