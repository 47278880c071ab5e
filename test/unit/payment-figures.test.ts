import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BillingEvent,
  DISPUTE_STATUSES,
  type DisputeStatus,
} from "#domains/billing/events/billing-event.ts";
import { creditsKept, figuresOf, settle } from "#domains/billing/payments/refunds-and-disputes.ts";

const PAYMENT = { currency: "eur", amount: 1_000, credits: 100 };
const paymentId = "pi_1";

const refunded = (eventId: string, occurredAt: number, amountRefunded: number): BillingEvent => ({
  eventId,
  type: "charge.refunded",
  occurredAt,
  fact: { kind: "refunded", paymentId, amountRefunded, receiptUrl: null },
});

const refundFailed = (
  eventId: string,
  occurredAt: number,
  refundId: string,
  amount: number,
): BillingEvent => ({
  eventId,
  type: "refund.failed",
  occurredAt,
  fact: { kind: "refund-failed", paymentId, refundId, amount },
});

const disputed = (
  eventId: string,
  occurredAt: number,
  status: DisputeStatus,
  { disputeId = "du_1", amount = 1_000, currency = "eur" } = {},
): BillingEvent => ({
  eventId,
  type: "charge.dispute.created",
  occurredAt,
  fact: { kind: "disputed", paymentId, disputeId, amount, currency, status },
});

const anyEvent = fc.oneof(
  fc
    .record({ at: fc.nat(3), amount: fc.nat(1_000), id: fc.nat(9) })
    .map(({ at, amount, id }) => refunded(`evt_r${id}_${at}_${amount}`, at, amount)),
  fc
    .record({ at: fc.nat(3), amount: fc.nat(1_000), id: fc.nat(3) })
    .map(({ at, amount, id }) =>
      refundFailed(`evt_f${id}_${at}_${amount}`, at, `re_${id}_${amount}`, amount),
    ),
  fc
    .record({
      at: fc.nat(3),
      id: fc.nat(2),
      status: fc.constantFrom(...DISPUTE_STATUSES),
      amount: fc.nat(1_000),
    })
    .map(({ at, id, status, amount }) =>
      disputed(`evt_d${id}_${at}_${status}_${amount}`, at, status, { disputeId: `du_${id}`, amount }),
    ),
);

describe("a payment's figures", () => {
  it("are the same in any order, and with repeated events", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyEvent, { selector: ({ eventId }) => eventId, maxLength: 8 }),
        fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
        (events, order) => {
          const shuffled = events
            .map((event, at) => ({ event, rank: order[at] ?? 0 }))
            .sort((one, other) => one.rank - other.rank)
            .map(({ event }) => event);
          const expected = figuresOf(PAYMENT, events);
          expect(figuresOf(PAYMENT, shuffled)).toEqual(expected);
          expect(figuresOf(PAYMENT, [...shuffled, ...events])).toEqual(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("use the latest cumulative refund, or the larger of two from the same second", () => {
    const events = [refunded("evt_1", 20, 700), refunded("evt_2", 10, 900), refunded("evt_3", 20, 800)];
    expect(figuresOf(PAYMENT, events).amountRefunded).toBe(800);
  });

  it("subtract, once, a refund that failed after the latest figure, unless that figure already excludes it", () => {
    const failed = [refundFailed("evt_2", 11, "re_1", 300), refundFailed("evt_3", 12, "re_1", 300)];
    expect(figuresOf(PAYMENT, [refunded("evt_1", 10, 500), ...failed]).amountRefunded).toBe(200);
    const later = [...failed, refunded("evt_1", 10, 500), refunded("evt_4", 13, 400)];
    expect(figuresOf(PAYMENT, later).amountRefunded).toBe(400);
  });

  it.each([
    ["open", 1_000],
    ["lost", 1_000],
    ["won", 0],
    ["inquiry", 0],
  ] as const)("for a dispute that is %s, hold back %d", (status, amount) => {
    expect(figuresOf(PAYMENT, [disputed("evt_1", 1, status)]).amountDisputed).toBe(amount);
  });

  it("use the more final status of a dispute if two events are of the same second", () => {
    const events = [disputed("evt_2", 1, "won"), disputed("evt_1", 1, "open")];
    expect(figuresOf(PAYMENT, events)).toMatchObject({ amountDisputed: 0, dispute: "won" });
  });

  it("count the whole payment as disputed if the dispute has another currency", () => {
    const events = [disputed("evt_1", 1, "open", { amount: 7, currency: "usd" })];
    expect(figuresOf(PAYMENT, events).amountDisputed).toBe(1_000);
  });
});

describe("the credits of a payment", () => {
  const sums = fc.record({
    amount: fc.integer({ min: 1, max: 100_000_000 }),
    credits: fc.integer({ min: 1, max: 1_000_000 }),
    amountRefunded: fc.nat(200_000_000),
    amountDisputed: fc.nat(200_000_000),
  });

  it("are all kept without a refund, and all withdrawn after a full refund; the number kept is always whole", () => {
    fc.assert(
      fc.property(sums, ({ amount, credits, amountRefunded, amountDisputed }) => {
        const kept = creditsKept({ amount, credits }, { amountRefunded, amountDisputed });
        expect(Number.isSafeInteger(kept)).toBe(true);
        expect(kept).toBeGreaterThanOrEqual(0);
        expect(kept).toBeLessThanOrEqual(credits);
        if (amountRefunded + amountDisputed === 0) expect(kept).toBe(credits);
        if (amountRefunded + amountDisputed >= amount) expect(kept).toBe(0);
      }),
    );
  });
});

it("settling changes the held credits to the kept credits, deducts at most the balance, and records the rest as owed", () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), (held, kept, balance) => {
      const { creditsHeld, creditsOwed, change } = settle(held, kept, balance);
      expect(creditsHeld).toBe(held + change);
      expect(creditsHeld - creditsOwed).toBe(kept);
      expect(balance + change).toBeGreaterThanOrEqual(0);
      expect(creditsOwed).toBeGreaterThanOrEqual(0);
      if (creditsOwed > 0) expect(balance + change).toBe(0);
    }),
  );
});
