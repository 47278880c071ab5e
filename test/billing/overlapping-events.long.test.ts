import { beforeAll, expect, it } from "vitest";
import { freshStorage } from "../fault/fresh-storage.ts";
import { Pause } from "../fault/gate.ts";
import { World } from "../fault/world.ts";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { History } from "./history.ts";
import { BILLING_SETTINGS } from "./offers.ts";
import { expectAgreement } from "./oracle.ts";
import { perform, type Step } from "./steps.ts";
import type { StripeEvent } from "./stripe-objects.ts";

/**
 * Pauses an event at each await of its handling. Meanwhile the service handles the same event, another event of its
 * payment, plan or workspace, or a job that spends credits. The sums must still agree with the provider.
 */

beforeAll(freshStorage);

const START_MS = Date.parse("2031-01-01T00:00:00.000Z");
const STEPS_MAX = 40;
/** A full run pauses at every step, a quick run only before the second read and before the write. */
const steps = () => (stressScale().isQuick ? { first: 1, stride: 2 } : { first: 0, stride: 1 });

const buy: Step = { do: "buy", buyer: 0, offer: 0, purchase: "card" };
/** Only the payment's own event reports this purchase; it has no checkout. */
const topUp: Step = { do: "top up", buyer: 0, offer: 0, isPaid: true };
const spendMost: Step = { do: "spend", buyer: 0, cost: 90 };
const refundHalf: Step = { do: "refund", payment: 0, percent: 50, isPending: false };
const failRefund: Step = { do: "fail a refund", payment: 0, refund: 0 };
const disputeAll: Step = { do: "dispute", payment: 0, percent: 100, isOfWhole: false, isInquiry: false };
const won: Step = { do: "move a dispute", payment: 0, dispute: 0, end: "won" };
const subscribe: Step = { do: "subscribe", buyer: 0, offer: 0, isBeside: false };
const renewed: Step = { do: "renew", plan: 0, isPaid: true };
const ended: Step = { do: "end plan", plan: 0 };
const waitHour: Step = { do: "wait", ms: 3_600_000 };
const canceling: Step = { do: "set cancel", plan: 0, isCanceling: true };

/** The last event of a type. */
const last = (type: string) => (events: readonly StripeEvent[]) =>
  events.findLast((event) => event.type === type);
const first = (type: string) => (events: readonly StripeEvent[]) =>
  events.find((event) => event.type === type);

interface Overlap {
  /** Steps whose events are delivered before the overlap. */
  readonly before: readonly Step[];
  /** Steps that the two overlapping events report. */
  readonly overlapped: readonly Step[];
  /**
   * Whether the two events are delivered after all others, so that no later event corrects an error. Otherwise they are
   * delivered first.
   */
  readonly isLast?: boolean;
  readonly paused: (events: readonly StripeEvent[]) => StripeEvent | undefined;
  /** What happens during the pause: an event, or a job that spends credits. */
  readonly meanwhile:
    | ((events: readonly StripeEvent[]) => StripeEvent | undefined)
    | { readonly cost: number };
}

const paid = last("payment_intent.succeeded");
const refunded = last("charge.refunded");

const OVERLAPS: Readonly<Record<string, Overlap>> = {
  "a payment, and the same event": { before: [], overlapped: [buy], paused: paid, meanwhile: paid },
  "a payment, and its checkout": {
    before: [],
    overlapped: [buy],
    paused: paid,
    meanwhile: last("checkout.session.completed"),
  },
  "a payment, and its refund": {
    before: [],
    overlapped: [topUp, refundHalf],
    isLast: true,
    paused: paid,
    meanwhile: refunded,
  },
  "a refund, and its payment": {
    before: [],
    overlapped: [topUp, refundHalf],
    isLast: true,
    paused: refunded,
    meanwhile: paid,
  },
  "a dispute, and its payment": {
    before: [],
    overlapped: [topUp, disputeAll, won],
    isLast: true,
    paused: last("charge.dispute.closed"),
    meanwhile: paid,
  },
  "a refund, and the same event": {
    before: [buy],
    overlapped: [refundHalf],
    paused: refunded,
    meanwhile: refunded,
  },
  "a refund, and the next one": {
    before: [buy, spendMost],
    overlapped: [refundHalf, refundHalf],
    paused: first("charge.refunded"),
    meanwhile: refunded,
  },
  "a refund, and its failure": {
    before: [buy, spendMost],
    overlapped: [refundHalf, failRefund],
    paused: refunded,
    meanwhile: last("refund.failed"),
  },
  "a refund's failure, twice": {
    before: [buy, spendMost],
    overlapped: [refundHalf, failRefund],
    paused: last("refund.failed"),
    meanwhile: last("charge.refund.updated"),
  },
  "a refund, and spending its credits": {
    before: [buy],
    overlapped: [refundHalf],
    paused: refunded,
    meanwhile: { cost: 80 },
  },
  "a refund, and a dispute": {
    before: [buy, spendMost],
    overlapped: [refundHalf, disputeAll],
    paused: refunded,
    meanwhile: last("charge.dispute.created"),
  },
  "a dispute, and its win": {
    before: [buy, spendMost],
    overlapped: [disputeAll, won],
    paused: last("charge.dispute.created"),
    meanwhile: last("charge.dispute.closed"),
  },
  "two payments while credits are owed": {
    before: [buy, spendMost, refundHalf],
    overlapped: [
      { ...buy, offer: 1 },
      { ...buy, offer: 2 },
    ],
    paused: first("payment_intent.succeeded"),
    meanwhile: paid,
  },
  "a payment while credits are owed, and another refund": {
    before: [buy, spendMost, refundHalf],
    overlapped: [{ ...buy, offer: 1 }, refundHalf],
    paused: paid,
    meanwhile: refunded,
  },
  "a payment while credits are owed, and spending": {
    before: [buy, spendMost, refundHalf],
    overlapped: [{ ...buy, offer: 2 }],
    paused: paid,
    meanwhile: { cost: 10 },
  },
  "a first invoice, and its subscription": {
    before: [],
    overlapped: [subscribe],
    paused: last("invoice.paid"),
    meanwhile: last("customer.subscription.updated"),
  },
  "an invoice, and the same event": {
    before: [subscribe],
    overlapped: [renewed],
    paused: last("invoice.paid"),
    meanwhile: last("invoice.paid"),
  },
  "an invoice, and the next one": {
    before: [subscribe],
    overlapped: [renewed, renewed],
    paused: first("invoice.paid"),
    meanwhile: last("invoice.paid"),
  },
  "an invoice, and spending of the previous period": {
    before: [subscribe],
    overlapped: [renewed],
    paused: last("invoice.paid"),
    meanwhile: { cost: 5 },
  },
  "an invoice, and a cancellation": {
    before: [subscribe],
    overlapped: [renewed, canceling],
    paused: last("invoice.paid"),
    meanwhile: last("customer.subscription.updated"),
  },
  "a cancellation, and the end": {
    before: [subscribe],
    overlapped: [canceling, ended],
    paused: last("customer.subscription.updated"),
    meanwhile: last("customer.subscription.deleted"),
  },
  "the end of a plan, and the first invoice of another": {
    before: [subscribe],
    overlapped: [ended, waitHour, subscribe],
    paused: last("customer.subscription.deleted"),
    meanwhile: last("invoice.paid"),
  },
  "the first invoice of another plan, and the end of the first": {
    before: [subscribe],
    overlapped: [ended, waitHour, subscribe],
    paused: last("invoice.paid"),
    meanwhile: last("customer.subscription.deleted"),
  },
  "the ends of two successive plans": {
    before: [subscribe],
    overlapped: [ended, waitHour, subscribe, { do: "end plan", plan: 1 }],
    isLast: true,
    paused: first("customer.subscription.deleted"),
    meanwhile: last("invoice.paid"),
  },
};

/** Runs an overlap at a step. Returns false if the handling has no such step. */
async function runOverlap(overlap: Overlap, step: number): Promise<boolean> {
  const history = await History.begin(new World(START_MS, BILLING_SETTINGS), [0]);
  for (const done of overlap.before) {
    await perform(history, done);
    for (const event of [...history.pending]) await history.deliver(event);
  }
  for (const done of overlap.overlapped) await perform(history, done);
  const paused = overlap.paused(history.pending);
  if (paused === undefined) throw new Error("no event to pause");
  const { meanwhile } = overlap;
  const other = typeof meanwhile === "function" ? meanwhile(history.pending) : null;
  if (other === undefined) throw new Error("no event to deliver meanwhile");
  for (const event of overlap.isLast ? [...history.pending] : []) {
    if (event !== paused && event !== other) await history.deliver(event);
  }
  const pause = new Pause(step);
  const didPause = await history.deliverDuring(paused, pause, async () => {
    const [moved] = history.buyers;
    if (moved !== undefined && step % 2 === 1) await history.move(moved);
    if (other !== null) return history.deliver(other);
    const [buyer] = history.buyers;
    if (buyer !== undefined && typeof meanwhile !== "function") await history.spend(buyer, meanwhile.cost);
  });
  for (const event of [...history.pending]) await history.deliver(event);
  await expectAgreement(history);
  return didPause;
}

it.for(Object.entries(OVERLAPS))("%s may overlap at any step", async ([, overlap], { task }) => {
  silenceLogs();
  let met = 0;
  const { first: from, stride } = steps();
  for (let step = from; step < STEPS_MAX; step += stride) {
    const didPause = await runOverlap(overlap, step).catch((thrown: unknown) => {
      throw new Error(`paused at step ${step}: ${thrown instanceof Error ? thrown.message : thrown}`, {
        cause: thrown,
      });
    });
    if (!didPause) break;
    met += 1;
  }
  expect(met).toBeGreaterThan(0);
  reportStress(task, { counts: { "overlapping events": met } });
});

it("an event sent twenty times concurrently is applied once", async () => {
  silenceLogs();
  const history = await History.begin(new World(START_MS, BILLING_SETTINGS), [0]);
  for (const step of [buy, refundHalf]) await perform(history, step);
  const copies = history.pending.flatMap((event) => Array.from({ length: 20 }, () => event));
  await Promise.all(copies.map((event) => history.deliver(event)));
  await expectAgreement(history);
});
