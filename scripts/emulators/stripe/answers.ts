import type { StripeBook } from "./book.ts";
import { readList } from "./form.ts";
import type { ObjectOf, StripeEvent, StripeObject } from "./schemas.ts";

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
export function declined(intent: ObjectOf<"payment_intent">): Response {
  return Response.json({ error: { ...intent.last_payment_error, payment_intent: intent } }, { status: 402 });
}

/** An object's members, which a path of `expand` may replace ids in. */
type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of an invoice alone: its payments stand in it only when they are asked for. */
function paymentsOf(book: StripeBook, invoiceId: unknown) {
  const data = book.all("invoice_payment").filter(({ invoice }) => invoice === invoiceId);
  return { object: "list", data, has_more: false, url: "/v1/invoice_payments" };
}

function expandPath(book: StripeBook, value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => expandPath(book, item, [name, ...rest]));
  if (!isMembers(value)) return value;
  const isPayments = name === "payments" && value.object === "invoice";
  const member = isPayments ? paymentsOf(book, value.id) : value[name];
  const found = typeof member === "string" ? (book.find(member) ?? member) : member;
  return { ...value, [name]: expandPath(book, found, rest) };
}

/** Ids replaced by their objects, as `expand[]=payment_intent.latest_charge`. https://docs.stripe.com/api/expanding_objects */
function expanded(book: StripeBook, value: unknown, paths: readonly string[]): unknown {
  return paths.reduce((current, path) => expandPath(book, current, path.split(".")), value);
}

export const answer = (book: StripeBook, value: unknown, paths: readonly string[]): Response =>
  Response.json(expanded(book, value, paths));

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 100;
const COMPARISONS: Readonly<Record<string, (created: number, bound: number) => boolean>> = {
  gt: (created, bound) => created > bound,
  gte: (created, bound) => created >= bound,
  lt: (created, bound) => created < bound,
  lte: (created, bound) => created <= bound,
};

/** A page of a list, newest first. https://docs.stripe.com/api/pagination */
export function page(book: StripeBook, url: URL, items: readonly (StripeObject | StripeEvent)[]): Response {
  const query = url.searchParams;
  const bounds = Object.entries(COMPARISONS).flatMap(([name, holds]) => {
    const bound = query.get(`created[${name}]`);
    return bound === null ? [] : [(created: number) => holds(created, Number(bound))];
  });
  const matching = items.filter(({ created }) => bounds.every((holds) => holds(created))).reverse();
  const after = query.get("starting_after");
  const from = after === null ? 0 : matching.findIndex(({ id }) => id === after) + 1;
  const limit = Math.min(Number(query.get("limit") ?? LIMIT_DEFAULT), LIMIT_MAX);
  const list = {
    object: "list",
    data: matching.slice(from, from + limit),
    has_more: matching.length > from + limit,
    url: url.pathname,
  };
  return answer(book, list, readList(query, "expand"));
}
