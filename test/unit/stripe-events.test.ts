import { describe, expect, it } from "vitest";
import { EVENT_READERS, readEvent } from "#domains/billing/stripe/read-event.ts";
import page from "../../docs/billing.md?raw";

const METADATA = { workspaceId: "w", offerId: "starter", kind: "credits", orderId: "order-1" };

const read = (type: string, object: object) =>
  readEvent({ id: "evt_1", object: "event", created: 7, type, data: { object } }, [])?.fact ?? null;

it("the handled events are exactly those that docs/billing.md tells operators to choose", () => {
  const table = page.slice(page.indexOf("| events"), page.indexOf("Other events are answered"));
  const named = [...table.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, name]) => name);
  expect([...named].sort()).toEqual([...EVENT_READERS.keys()].sort());
});

describe("payments", () => {
  const session = {
    mode: "payment",
    payment_status: "paid",
    payment_intent: "pi_1",
    amount_total: 1_000,
    currency: "eur",
    metadata: METADATA,
  };
  const paid = {
    kind: "payment-succeeded",
    paymentId: "pi_1",
    orderId: "order-1",
    amount: 1_000,
    currency: "eur",
  };

  it("are read from a Checkout Session, with its PaymentIntent as an id or expanded", () => {
    expect(read("checkout.session.completed", session)).toEqual(paid);
    expect(read("checkout.session.completed", { ...session, payment_intent: { id: "pi_1" } })).toEqual(paid);
  });

  it.each([
    ["that is not paid yet", { payment_status: "unpaid" }],
    [
      "that was free of charge",
      { payment_status: "no_payment_required", amount_total: 0, payment_intent: null },
    ],
    ["of a plan, whose invoice reports the payment", { mode: "subscription", payment_intent: null }],
    ["of another shop", { metadata: {} }],
    ["without metadata", { metadata: null }],
  ])("are not read from a session %s", (_, change) => {
    expect(read("checkout.session.completed", { ...session, ...change })).toBeNull();
  });

  it("are read from a PaymentIntent: the received amount, not the requested one", () => {
    const intent = { id: "pi_1", amount: 2_000, amount_received: 1_000, currency: "eur", metadata: METADATA };
    expect(read("payment_intent.succeeded", intent)).toEqual(paid);
    expect(read("payment_intent.succeeded", { ...intent, metadata: {} })).toBeNull();
  });

  it("that failed include the bank's reason, if any", () => {
    const intent = {
      id: "pi_1",
      amount_received: 0,
      currency: "eur",
      metadata: METADATA,
      last_payment_error: { code: "card_declined", decline_code: "insufficient_funds" },
    };
    expect(read("payment_intent.payment_failed", intent)).toMatchObject({ reason: "insufficient_funds" });
    expect(read("payment_intent.payment_failed", { ...intent, last_payment_error: null })).toMatchObject({
      reason: null,
    });
  });
});

it.each([
  ["needs_response", "open"],
  ["under_review", "open"],
  ["appeal_under_review", "open"],
  ["a_word_of_tomorrow", "open"],
  ["warning_needs_response", "inquiry"],
  ["warning_closed", "won"],
  ["prevented", "won"],
  ["won", "won"],
  ["lost", "lost"],
])("disputes that are %s count as %s", (status, expected) => {
  const dispute = { id: "du_1", amount: 5, currency: "eur", status, payment_intent: "pi_1" };
  expect(read("charge.dispute.closed", dispute)).toMatchObject({ status: expected });
});

it("an event about a refund counts only if the refund failed or was canceled", () => {
  const refund = { id: "re_1", amount: 5, payment_intent: "pi_1" };
  expect(read("charge.refund.updated", { ...refund, status: "succeeded" })).toBeNull();
  expect(read("charge.refund.updated", { ...refund, status: "failed" })).toMatchObject({
    kind: "refund-failed",
  });
  expect(read("refund.failed", { ...refund, status: "canceled" })).toMatchObject({ refundId: "re_1" });
});

it("an event of an unknown shape throws, so that it is retried", () => {
  expect(() => read("charge.refunded", { payment_intent: "pi_1", amount_refunded: "1" })).toThrow();
  expect(() => readEvent({ id: "evt_1", type: "charge.refunded" }, [])).toThrow();
});
