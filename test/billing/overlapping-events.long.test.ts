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
 * Pauses an event at each await of its handling while the same event, another of its payment, plan or workspace, or a
 * spending job is handled: the sums must still agree with the provider.
 */

beforeAll(freshStorage);

const START_MS = Date.parse("2031-01-01T00:00:00.000Z");
const STEPS_MAX = 40;
/** A full run pauses at every step; a quick one before the second read and before the write. */
const steps = () => (stressScale().isQuick ? { first: 1, stride: 2 } : { first: 0, stride: 1 });

const buy: Step = { do: "buy", buyer: 0, offer: 0, purchase: "card" };
/** The payment's own event alone makes it known. */
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

interface Meeting {
  /** Steps whose events are delivered before the overlap. */
  readonly before: readonly Step[];
  /** The last steps, known only from the two overlapping events. */
  readonly untold: readonly Step[];
  /** True when the two are delivered last, so that no later event corrects an error; otherwise first. */
  readonly isLast?: boolean;
  readonly hangs: (events: readonly StripeEvent[]) => StripeEvent | undefined;
  /** What happens meanwhile: an event, or a job that spends credits. */
  readonly meanwhile:
    | ((events: readonly StripeEvent[]) => StripeEvent | undefined)
    | { readonly cost: number };
}

const paid = last("payment_intent.succeeded");
const refunded = last("charge.refunded");

const MEETINGS: Readonly<Record<string, Meeting>> = {
  "a payment, and the same event": { before: [], untold: [buy], hangs: paid, meanwhile: paid },
  "a payment, and its checkout": {
    before: [],
    untold: [buy],
    hangs: paid,
    meanwhile: last("checkout.session.completed"),
  },
  "a payment, and its refund": {
    before: [],
    untold: [topUp, refundHalf],
    isLast: true,
    hangs: paid,
    meanwhile: refunded,
  },
  "a refund, and its payment": {
    before: [],
    untold: [topUp, refundHalf],
    isLast: true,
    hangs: refunded,
    meanwhile: paid,
  },
  "a dispute, and its payment": {
    before: [],
    untold: [topUp, disputeAll, won],
    isLast: true,
    hangs: last("charge.dispute.closed"),
    meanwhile: paid,
  },
  "a refund, and the same event": {
    before: [buy],
    untold: [refundHalf],
    hangs: refunded,
    meanwhile: refunded,
  },
  "a refund, and the next one": {
    before: [buy, spendMost],
    untold: [refundHalf, refundHalf],
    hangs: first("charge.refunded"),
    meanwhile: refunded,
  },
  "a refund, and its failure": {
    before: [buy, spendMost],
    untold: [refundHalf, failRefund],
    hangs: refunded,
    meanwhile: last("refund.failed"),
  },
  "a refund's failure, twice": {
    before: [buy, spendMost],
    untold: [refundHalf, failRefund],
    hangs: last("refund.failed"),
    meanwhile: last("charge.refund.updated"),
  },
  "a refund, and spending its credits": {
    before: [buy],
    untold: [refundHalf],
    hangs: refunded,
    meanwhile: { cost: 80 },
  },
  "a refund, and a dispute": {
    before: [buy, spendMost],
    untold: [refundHalf, disputeAll],
    hangs: refunded,
    meanwhile: last("charge.dispute.created"),
  },
  "a dispute, and its win": {
    before: [buy, spendMost],
    untold: [disputeAll, won],
    hangs: last("charge.dispute.created"),
    meanwhile: last("charge.dispute.closed"),
  },
  "two payments while credits are owed": {
    before: [buy, spendMost, refundHalf],
    untold: [
      { ...buy, offer: 1 },
      { ...buy, offer: 2 },
    ],
    hangs: first("payment_intent.succeeded"),
    meanwhile: paid,
  },
  "a payment while credits are owed, and another refund": {
    before: [buy, spendMost, refundHalf],
    untold: [{ ...buy, offer: 1 }, refundHalf],
    hangs: paid,
    meanwhile: refunded,
  },
  "a payment while credits are owed, and spending": {
    before: [buy, spendMost, refundHalf],
    untold: [{ ...buy, offer: 2 }],
    hangs: paid,
    meanwhile: { cost: 10 },
  },
  "a first invoice, and its subscription": {
    before: [],
    untold: [subscribe],
    hangs: last("invoice.paid"),
    meanwhile: last("customer.subscription.updated"),
  },
  "an invoice, and the same event": {
    before: [subscribe],
    untold: [renewed],
    hangs: last("invoice.paid"),
    meanwhile: last("invoice.paid"),
  },
  "an invoice, and the next one": {
    before: [subscribe],
    untold: [renewed, renewed],
    hangs: first("invoice.paid"),
    meanwhile: last("invoice.paid"),
  },
  "an invoice, and spending of the previous period": {
    before: [subscribe],
    untold: [renewed],
    hangs: last("invoice.paid"),
    meanwhile: { cost: 5 },
  },
  "an invoice, and a cancellation": {
    before: [subscribe],
    untold: [renewed, canceling],
    hangs: last("invoice.paid"),
    meanwhile: last("customer.subscription.updated"),
  },
  "a cancellation, and the end": {
    before: [subscribe],
    untold: [canceling, ended],
    hangs: last("customer.subscription.updated"),
    meanwhile: last("customer.subscription.deleted"),
  },
  "the end of a plan, and the first invoice of another": {
    before: [subscribe],
    untold: [ended, waitHour, subscribe],
    hangs: last("customer.subscription.deleted"),
    meanwhile: last("invoice.paid"),
  },
  "the first invoice of another plan, and the end of the first": {
    before: [subscribe],
    untold: [ended, waitHour, subscribe],
    hangs: last("invoice.paid"),
    meanwhile: last("customer.subscription.deleted"),
  },
  "the ends of two successive plans": {
    before: [subscribe],
    untold: [ended, waitHour, subscribe, { do: "end plan", plan: 1 }],
    isLast: true,
    hangs: first("customer.subscription.deleted"),
    meanwhile: last("invoice.paid"),
  },
};

/** Runs an overlap at a step; false when the handling has no such step. */
async function meet(meeting: Meeting, step: number): Promise<boolean> {
  const history = await History.begin(new World(START_MS, BILLING_SETTINGS), [0]);
  for (const done of meeting.before) {
    await perform(history, done);
    for (const event of [...history.pending]) await history.deliver(event);
  }
  for (const done of meeting.untold) await perform(history, done);
  const hangs = meeting.hangs(history.pending);
  if (hangs === undefined) throw new Error("a meeting without the event that hangs");
  const { meanwhile } = meeting;
  const other = typeof meanwhile === "function" ? meanwhile(history.pending) : null;
  if (other === undefined) throw new Error("a meeting without the event that comes meanwhile");
  for (const event of meeting.isLast ? [...history.pending] : []) {
    if (event !== hangs && event !== other) await history.deliver(event);
  }
  const pause = new Pause(step);
  const didHang = await history.deliverDuring(hangs, pause, async () => {
    const [moved] = history.buyers;
    if (moved !== undefined && step % 2 === 1) await history.move(moved);
    if (other !== null) return history.deliver(other);
    const [buyer] = history.buyers;
    if (buyer !== undefined && typeof meanwhile !== "function") await history.spend(buyer, meanwhile.cost);
  });
  for (const event of [...history.pending]) await history.deliver(event);
  await expectAgreement(history);
  return didHang;
}

it.for(Object.entries(MEETINGS))("%s", async ([, meeting], { task }) => {
  silenceLogs();
  let met = 0;
  const { first: from, stride } = steps();
  for (let step = from; step < STEPS_MAX; step += stride) {
    const didHang = await meet(meeting, step).catch((thrown: unknown) => {
      throw new Error(`hung at step ${step}: ${thrown instanceof Error ? thrown.message : thrown}`, {
        cause: thrown,
      });
    });
    if (!didHang) break;
    met += 1;
  }
  expect(met).toBeGreaterThan(0);
  reportStress(task, { counts: { "overlapping events": met } });
});

it("one event sent twenty times concurrently applies once", async () => {
  silenceLogs();
  const history = await History.begin(new World(START_MS, BILLING_SETTINGS), [0]);
  for (const step of [buy, refundHalf]) await perform(history, step);
  const told = history.pending.flatMap((event) => Array.from({ length: 20 }, () => event));
  await Promise.all(told.map((event) => history.deliver(event)));
  await expectAgreement(history);
});
