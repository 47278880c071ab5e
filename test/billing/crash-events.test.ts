import { beforeAll, expect, it } from "vitest";
import { crashAtEveryStep } from "../fault/crash-every-step.ts";
import { freshStorage } from "../fault/fresh-storage.ts";
import { reportStress } from "../stress/report.ts";
import { History, post } from "./history.ts";
import { BILLING_SETTINGS } from "./offers.ts";
import { expectAgreement } from "./oracle.ts";
import { perform, type Step } from "./steps.ts";
import type { StripeEvent } from "./stripe-objects.ts";

/**
 * Crashes the handling of a payment event at every await. Once the event is resent, credits must have been granted,
 * withdrawn and returned once, and each period opened once.
 */

beforeAll(freshStorage);

interface Arranged {
  readonly history: History;
  readonly event: StripeEvent;
  readonly workspaceId: string;
}

/** Steps at the provider. The crash hits the last event of type `crashed` that the last step reports. */
interface Story {
  readonly steps: readonly Step[];
  readonly crashed: string;
  /** Whether that event is delivered before all others. */
  readonly isFirst?: boolean;
}

const buy: Step = { do: "buy", buyer: 0, offer: 0, purchase: "card" };
const spendMost: Step = { do: "spend", buyer: 0, cost: 90 };
const refundHalf: Step = { do: "refund", payment: 0, percent: 50, isPending: false };
const disputeAll: Step = { do: "dispute", payment: 0, percent: 100, isOfWhole: false, isInquiry: false };
const subscribe: Step = { do: "subscribe", buyer: 0, offer: 0, isBeside: false };
const closed = (end: "won" | "lost"): Step => ({ do: "move a dispute", payment: 0, dispute: 0, end });
const renewed = (isPaid: boolean): Step => ({ do: "renew", plan: 0, isPaid });

const STORIES: Readonly<Record<string, Story>> = {
  "a payment by card": { steps: [buy], crashed: "payment_intent.succeeded" },
  "a finished checkout": { steps: [buy], crashed: "checkout.session.completed", isFirst: true },
  "a payment that arrives later": {
    steps: [{ ...buy, purchase: "later paid" }],
    crashed: "checkout.session.async_payment_succeeded",
    isFirst: true,
  },
  "a payment that never arrives": {
    steps: [{ ...buy, purchase: "later failed" }],
    crashed: "checkout.session.async_payment_failed",
  },
  "a refund of unspent credits": { steps: [buy, refundHalf], crashed: "charge.refunded" },
  "a refund of spent credits": { steps: [buy, spendMost, refundHalf], crashed: "charge.refunded" },
  "a refund delivered before its payment": {
    steps: [buy, refundHalf],
    crashed: "charge.refunded",
    isFirst: true,
  },
  "a failed refund": {
    steps: [buy, spendMost, refundHalf, { do: "fail a refund", payment: 0, refund: 0 }],
    crashed: "refund.failed",
  },
  "a payment while credits are owed": {
    steps: [buy, spendMost, refundHalf, { ...buy, offer: 2 }],
    crashed: "payment_intent.succeeded",
  },
  "a dispute": { steps: [buy, spendMost, disputeAll], crashed: "charge.dispute.created" },
  "a won dispute": {
    steps: [buy, spendMost, disputeAll, closed("won")],
    crashed: "charge.dispute.closed",
  },
  "a lost dispute": { steps: [buy, disputeAll, closed("lost")], crashed: "charge.dispute.closed" },
  "a plan's first invoice": { steps: [subscribe], crashed: "invoice.paid" },
  "a plan's next invoice": {
    steps: [subscribe, { do: "spend", buyer: 0, cost: 5 }, renewed(true)],
    crashed: "invoice.paid",
  },
  "a plan's unpaid invoice": {
    steps: [subscribe, renewed(false)],
    crashed: "invoice.payment_failed",
  },
  "a canceled plan": {
    steps: [subscribe, { do: "set cancel", plan: 0, isCanceling: true }],
    crashed: "customer.subscription.updated",
  },
  "an ended plan": {
    steps: [subscribe, { do: "end plan", plan: 0 }],
    crashed: "customer.subscription.deleted",
  },
};

/** Performs the steps and delivers their events, except the crashing one. Delivers none of them if `isFirst`. */
async function deliverStory(
  history: History,
  { steps, crashed, isFirst = false }: Story,
): Promise<StripeEvent> {
  for (const [at, step] of steps.entries()) {
    await perform(history, step);
    const isLast = at === steps.length - 1;
    const kept = isLast ? history.pending.findLast(({ type }) => type === crashed) : undefined;
    for (const event of isFirst ? [] : [...history.pending]) if (event !== kept) await history.deliver(event);
  }
  const event = history.pending.findLast(({ type }) => type === crashed);
  if (event === undefined) throw new Error(`a story without ${crashed}`);
  return event;
}

it.for(Object.entries(STORIES))("%s survives a crash at any step", async ([, story], { task }) => {
  const finding = await crashAtEveryStep<Arranged>({
    settings: BILLING_SETTINGS,
    arrange: async (world) => {
      const history = await History.begin(world, [0]);
      const event = await deliverStory(history, story);
      return { history, event, workspaceId: history.buyers[0]?.workspaceId ?? "" };
    },
    act: async (world, { event }) => (await post(world, event)).status === 200,
    settle: async (_, { history }) => {
      for (const event of [...history.pending, ...history.provider.events]) await history.deliver(event);
      expect(history.pending).toEqual([]);
      await expectAgreement(history);
      // Once every event is applied, a job's refund goes to the balance and does not reduce the owed credits.
      for (const job of history.buyers.flatMap(({ jobs }) => jobs)) await history.failJob(job);
      await expectAgreement(history);
    },
  });
  reportStress(task, finding);
});
