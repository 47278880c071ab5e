import fc from "fast-check";
import { LIMITS } from "#api/limits.ts";
import { CRASH_KINDS, type Crash, Pause } from "../fault/gate.ts";
import { ANNOUNCED_MS, beginMove, LEFT_MS } from "../support/moves.ts";
import type { Buyer, History } from "./history.ts";
import { CREDIT_OFFERS, PLAN_OFFERS } from "./offers.ts";
import type { ProviderPayment } from "./provider-payments.ts";
import {
  buyInCheckout,
  type DisputeEnd,
  failRefund,
  moveDispute,
  openDispute,
  type Purchase,
  refundShare,
  topUp,
} from "./provider-payments.ts";
import type { ProviderPlan } from "./provider-plans.ts";
import { changePlan, end, isEnded, renew, setCancel, subscribe, tryAgain } from "./provider-plans.ts";

const HOUR_MS = 3_600_000;
const WAITS_MS = [1_000, 5 * 60_000, 3 * HOUR_MS, 3 * 24 * HOUR_MS, 31 * 24 * HOUR_MS];
/** More awaits than any delivery has. */
const STEPS_OF_DELIVERY_MAX = 10;
/** More calls than any move has, so that some moves run without a crash. */
const STEPS_OF_MOVE_MAX = 120;

const at = fc.nat({ max: 1_000 });
const percent = fc.constantFrom(1, 33, 50, 66, 99, 100);
const PURCHASES = ["card", "card", "card", "card after a decline", "later paid", "later failed"] as const;
const crashIn = (stepsMax: number, freq: number): fc.Arbitrary<Crash | null> =>
  fc.option(
    fc.record(
      { step: fc.nat({ max: stepsMax }), kind: fc.constantFrom(...CRASH_KINDS) },
      { noNullPrototype: true },
    ),
    { freq },
  );
const crash = crashIn(STEPS_OF_DELIVERY_MAX, 3);

/** A kind of step: its frequency, its name, and generators of its fields. */
const kind = <Name extends string, Members>(
  weight: number,
  name: Name,
  members: { [Member in keyof Members]: fc.Arbitrary<Members[Member]> },
) => ({ weight, arbitrary: fc.record(members).map((values) => ({ do: name, ...values })) });

const KINDS = [
  kind(5, "buy", { buyer: at, offer: at, purchase: fc.constantFrom<Purchase>(...PURCHASES) }),
  kind(1, "top up", { buyer: at, offer: at, isPaid: fc.boolean() }),
  kind(4, "refund", { payment: at, percent, isPending: fc.boolean() }),
  kind(2, "fail a refund", { payment: at, refund: at }),
  kind(2, "dispute", { payment: at, percent, isOfWhole: fc.boolean(), isInquiry: fc.boolean() }),
  kind(4, "move a dispute", {
    payment: at,
    dispute: at,
    end: fc.constantFrom<DisputeEnd>("won", "lost", "answered", "escalated"),
  }),
  // `isBeside`: beside an existing plan, since two checkouts may be open at once.
  kind(3, "subscribe", { buyer: at, offer: at, isBeside: fc.constantFrom(false, false, false, true) }),
  kind(3, "renew", { plan: at, isPaid: fc.boolean() }),
  kind(2, "try again", { plan: at, isPaid: fc.boolean() }),
  kind(1, "set cancel", { plan: at, isCanceling: fc.boolean() }),
  kind(1, "change plan", { plan: at, offer: at }),
  kind(1, "end plan", { plan: at }),
  kind(20, "deliver", { event: at, crash }),
  kind(4, "deliver again", { event: at, crash }),
  kind(4, "deliver two at once", {
    first: at,
    second: at,
    isSame: fc.boolean(),
    pauseAt: fc.nat({ max: STEPS_OF_DELIVERY_MAX }),
  }),
  kind(6, "spend", { buyer: at, cost: fc.integer({ min: 1, max: 60 }) }),
  kind(2, "fail a job", { buyer: at, job: at }),
  kind(1, "wait", { ms: fc.constantFrom(...WAITS_MS) }),
  kind(1, "sweep", {}),
];

/** Steps of runs with shards, in which workspaces move between databases. */
const MOVES = [
  kind(3, "ask for a move", { buyer: at, to: at }),
  kind(6, "move on", { ms: fc.constantFrom(0, ANNOUNCED_MS, LEFT_MS), crash: crashIn(STEPS_OF_MOVE_MAX, 2) }),
  kind(2, "deliver while it moves", {
    event: at,
    buyer: at,
    to: at,
    pauseAt: fc.nat({ max: STEPS_OF_DELIVERY_MAX }),
  }),
];

type StepOf<Kind> = Kind extends { readonly arbitrary: fc.Arbitrary<infer Made> } ? Readonly<Made> : never;

/**
 * A step at the provider, between the provider and the service, or in the service. Its numbers select existing
 * payments, plans and so on (`pick`); a step without a match does nothing. A JSON list of steps is a complete history.
 */
export type Step = StepOf<(typeof KINDS)[number] | (typeof MOVES)[number]>;

/** Any step, with the frequencies of `KINDS`. */
export const anyStep = (shards: number): fc.Arbitrary<Step> =>
  fc.oneof(...KINDS, ...(shards > 0 ? MOVES : []));

/** The element selected by a number, or null for an empty list. */
const pick = <T>(items: readonly T[], at: number): T | null => items[at % items.length] ?? null;

/** Acts on the element selected by a number, if any. */
function withOne<T>(items: readonly T[], at: number, act: (item: T) => void): void {
  const chosen = pick(items, at);
  if (chosen !== null) act(chosen);
}

/** All payments, including those of plans. */
const paymentsOf = ({ payments, plans }: History): readonly ProviderPayment[] => [
  ...payments,
  ...plans.flatMap(({ invoices }) => invoices.map(({ payment }) => payment)),
];

/** Whether a workspace has a plan at the provider. */
const hasPlan = ({ plans }: History, { workspaceId }: Buyer): boolean =>
  plans.some((plan) => plan.workspaceId === workspaceId && !isEnded(plan));

const onPayment = (history: History, at: number, act: (payment: ProviderPayment) => void): void =>
  withOne(paymentsOf(history), at, act);

const onPlan = (history: History, at: number, act: (plan: ProviderPlan) => void): void =>
  withOne(history.plans, at, act);

/** Performs a step. */
export async function perform(history: History, step: Step): Promise<void> {
  switch (step.do) {
    case "buy":
      return history.act((provider) =>
        withOne(CREDIT_OFFERS, step.offer, (offer) =>
          withOne(history.buyers, step.buyer, ({ workspaceId }) =>
            history.payments.push(buyInCheckout(provider, workspaceId, offer, step.purchase)),
          ),
        ),
      );
    case "top up":
      return history.act((provider) =>
        withOne(CREDIT_OFFERS, step.offer, (offer) =>
          withOne(history.buyers, step.buyer, ({ workspaceId }) =>
            history.payments.push(topUp(provider, workspaceId, offer, step.isPaid)),
          ),
        ),
      );
    case "refund":
      return history.act((provider) =>
        onPayment(history, step.payment, (payment) =>
          refundShare(provider, payment, step.percent / 100, step.isPending),
        ),
      );
    case "fail a refund":
      return history.act((provider) =>
        onPayment(history, step.payment, (payment) => failRefund(provider, payment, step.refund)),
      );
    case "dispute":
      return history.act((provider) =>
        onPayment(history, step.payment, (payment) =>
          openDispute(provider, payment, { ...step, share: step.percent / 100 }),
        ),
      );
    case "move a dispute":
      return history.act((provider) =>
        onPayment(history, step.payment, (payment) => moveDispute(provider, payment, step.dispute, step.end)),
      );
    case "subscribe":
      return history.act((provider) =>
        withOne(PLAN_OFFERS, step.offer, (offer) =>
          withOne(history.buyers, step.buyer, (buyer) => {
            const isBeside = hasPlan(history, buyer);
            if (isBeside && !step.isBeside) return;
            if (isBeside) history.crowded.add(buyer.workspaceId);
            history.plans.push(subscribe(provider, buyer.workspaceId, offer));
          }),
        ),
      );
    case "renew":
      return history.act((provider) =>
        onPlan(history, step.plan, (plan) => renew(provider, plan, step.isPaid)),
      );
    case "try again":
      return history.act((provider) =>
        onPlan(history, step.plan, (plan) => tryAgain(provider, plan, step.isPaid)),
      );
    case "set cancel":
      return history.act((provider) =>
        onPlan(history, step.plan, (plan) => setCancel(provider, plan, step.isCanceling)),
      );
    case "change plan":
      return history.act((provider) =>
        onPlan(history, step.plan, (plan) =>
          withOne(PLAN_OFFERS, step.offer, (offer) => changePlan(provider, plan, offer)),
        ),
      );
    case "end plan":
      return history.act((provider) => onPlan(history, step.plan, (plan) => end(provider, plan)));
    case "deliver":
    case "deliver again": {
      const event = pick(step.do === "deliver" ? history.pending : history.accepted, step.event);
      if (event !== null) await history.deliver(event, step.crash);
      return;
    }
    case "deliver two at once": {
      const first = pick(history.pending, step.first);
      const second = step.isSame ? first : pick(history.pending, step.second);
      if (first === null || second === null) return;
      await history.deliverDuring(first, new Pause(step.pauseAt), () => history.deliver(second));
      return;
    }
    case "spend": {
      const buyer = pick(history.buyers, step.buyer);
      if (buyer !== null) await history.spend(buyer, step.cost);
      return;
    }
    case "fail a job": {
      const jobs = pick(history.buyers, step.buyer)?.jobs.filter(({ isRefunded }) => !isRefunded) ?? [];
      const job = pick(jobs, step.job);
      if (job !== null) await history.failJob(job);
      return;
    }
    case "ask for a move": {
      const buyer = pick(history.buyers, step.buyer);
      if (buyer !== null) await beginMove(buyer.workspaceId, step.to);
      return;
    }
    case "move on": {
      const { world } = history;
      world.wait(step.ms);
      if (step.crash !== null) world.crash(step.crash);
      await world.moveOn().catch((thrown: unknown) => {
        if (step.crash === null) throw thrown;
      });
      return world.restart();
    }
    case "deliver while it moves": {
      const event = pick(history.pending, step.event);
      const buyer = pick(history.buyers, step.buyer);
      if (event === null || buyer === null) return;
      await history.deliverDuring(event, new Pause(step.pauseAt), () => history.move(buyer, step.to));
      return;
    }
    case "wait":
      return history.world.wait(step.ms);
    case "sweep":
      // Sweeps delete rows that have no effect any more, so deliver older events first.
      await history.deliverOlderThan(LIMITS.unusedOrderRetentionMs / 2);
      return history.world.sweep();
  }
}
