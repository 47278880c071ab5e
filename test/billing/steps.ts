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

/**
 * One thing that happens at the provider, between it and the service, or in the service. Numbers choose among what there
 * is (`pick`); where there is nothing, nothing happens. As JSON a list of them is a whole history.
 */
export type Step =
  | { readonly do: "buy"; readonly buyer: number; readonly offer: number; readonly purchase: Purchase }
  | { readonly do: "top up"; readonly buyer: number; readonly offer: number; readonly isPaid: boolean }
  | {
      readonly do: "refund";
      readonly payment: number;
      readonly percent: number;
      readonly isPending: boolean;
    }
  | { readonly do: "fail a refund"; readonly payment: number; readonly refund: number }
  | {
      readonly do: "dispute";
      readonly payment: number;
      readonly percent: number;
      readonly isOfWhole: boolean;
      readonly isInquiry: boolean;
    }
  | {
      readonly do: "move a dispute";
      readonly payment: number;
      readonly dispute: number;
      readonly end: DisputeEnd;
    }
  | {
      readonly do: "subscribe";
      readonly buyer: number;
      readonly offer: number;
      /** Whether also beside a plan that is there: two checkouts may be open at once. */
      readonly isBeside?: boolean;
    }
  | { readonly do: "renew"; readonly plan: number; readonly isPaid: boolean }
  | { readonly do: "try again"; readonly plan: number; readonly isPaid: boolean }
  | { readonly do: "set cancel"; readonly plan: number; readonly isCanceling: boolean }
  | { readonly do: "change plan"; readonly plan: number; readonly offer: number }
  | { readonly do: "end plan"; readonly plan: number }
  | { readonly do: "deliver"; readonly event: number; readonly crash: Crash | null }
  | { readonly do: "deliver again"; readonly event: number; readonly crash: Crash | null }
  | {
      readonly do: "deliver two at once";
      readonly first: number;
      readonly second: number;
      readonly isSame: boolean;
      readonly pauseAt: number;
    }
  | { readonly do: "spend"; readonly buyer: number; readonly cost: number }
  | { readonly do: "fail a job"; readonly buyer: number; readonly job: number }
  | { readonly do: "ask for a move"; readonly buyer: number; readonly to: number }
  | { readonly do: "move on"; readonly ms: number; readonly crash: Crash | null }
  | {
      readonly do: "deliver while it moves";
      readonly event: number;
      readonly buyer: number;
      readonly to: number;
      readonly pauseAt: number;
    }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "sweep" };

/** The element that a number falls on, or null of an empty list. */
const pick = <T>(items: readonly T[], at: number): T | null => items[at % items.length] ?? null;

/** Does something with what a number chooses, where there is anything. */
function withOne<T>(items: readonly T[], at: number, act: (item: T) => void): void {
  const chosen = pick(items, at);
  if (chosen !== null) act(chosen);
}

/** Every payment that there is, by whatever it was made. */
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

/** Lets a step happen. */
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
            if (isBeside && step.isBeside !== true) return;
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
      // Sweeps delete what can have no effect any more.
      await history.deliverOlderThan(LIMITS.unusedOrderRetentionMs / 2);
      return history.world.sweep();
  }
}

const HOUR_MS = 3_600_000;
const WAITS_MS = [1_000, 5 * 60_000, 3 * HOUR_MS, 3 * 24 * HOUR_MS, 31 * 24 * HOUR_MS];

/** More than a delivery has. */
const STEPS_OF_DELIVERY_MAX = 10;

const at = fc.nat({ max: 1_000 });
const percent = fc.constantFrom(1, 33, 50, 66, 99, 100);
/** Plain objects, so that a history that disagrees is shown as it would be written. */
const record = <T>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }): fc.Arbitrary<T> =>
  fc.record(members, { noNullPrototype: true });

const crash: fc.Arbitrary<Crash | null> = fc.option(
  record({ step: fc.nat({ max: STEPS_OF_DELIVERY_MAX }), kind: fc.constantFrom(...CRASH_KINDS) }),
  { freq: 3 },
);

const step = <T extends Step>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const STEPS: readonly fc.WeightedArbitrary<Step>[] = [
  step(
    5,
    record({
      do: fc.constant("buy" as const),
      buyer: at,
      offer: at,
      purchase: fc.constantFrom<Purchase>(
        "card",
        "card",
        "card",
        "card after a decline",
        "later paid",
        "later failed",
      ),
    }),
  ),
  step(1, record({ do: fc.constant("top up" as const), buyer: at, offer: at, isPaid: fc.boolean() })),
  step(4, record({ do: fc.constant("refund" as const), payment: at, percent, isPending: fc.boolean() })),
  step(2, record({ do: fc.constant("fail a refund" as const), payment: at, refund: at })),
  step(
    2,
    record({
      do: fc.constant("dispute" as const),
      payment: at,
      percent,
      isOfWhole: fc.boolean(),
      isInquiry: fc.boolean(),
    }),
  ),
  step(
    4,
    record({
      do: fc.constant("move a dispute" as const),
      payment: at,
      dispute: at,
      end: fc.constantFrom<DisputeEnd>("won", "lost", "answered", "escalated"),
    }),
  ),
  step(
    3,
    record({
      do: fc.constant("subscribe" as const),
      buyer: at,
      offer: at,
      isBeside: fc.constantFrom(false, false, false, true),
    }),
  ),
  step(3, record({ do: fc.constant("renew" as const), plan: at, isPaid: fc.boolean() })),
  step(2, record({ do: fc.constant("try again" as const), plan: at, isPaid: fc.boolean() })),
  step(1, record({ do: fc.constant("set cancel" as const), plan: at, isCanceling: fc.boolean() })),
  step(1, record({ do: fc.constant("change plan" as const), plan: at, offer: at })),
  step(1, record({ do: fc.constant("end plan" as const), plan: at })),
  step(20, record({ do: fc.constant("deliver" as const), event: at, crash })),
  step(4, record({ do: fc.constant("deliver again" as const), event: at, crash })),
  step(
    4,
    record({
      do: fc.constant("deliver two at once" as const),
      first: at,
      second: at,
      isSame: fc.boolean(),
      pauseAt: fc.nat({ max: STEPS_OF_DELIVERY_MAX }),
    }),
  ),
  step(6, record({ do: fc.constant("spend" as const), buyer: at, cost: fc.integer({ min: 1, max: 60 }) })),
  step(2, record({ do: fc.constant("fail a job" as const), buyer: at, job: at })),
  step(1, record({ do: fc.constant("wait" as const), ms: fc.constantFrom(...WAITS_MS) })),
  step(1, record({ do: fc.constant("sweep" as const) })),
];

/** Later than the last call of a move, so that some are not broken off. */
const STEPS_OF_MOVE_MAX = 120;

const moveCrash: fc.Arbitrary<Crash | null> = fc.option(
  record({ step: fc.nat({ max: STEPS_OF_MOVE_MAX }), kind: fc.constantFrom(...CRASH_KINDS) }),
  { freq: 2 },
);

/** In a run with shards, workspaces move. */
const MOVES: readonly fc.WeightedArbitrary<Step>[] = [
  step(3, record({ do: fc.constant("ask for a move" as const), buyer: at, to: at })),
  step(
    6,
    record({
      do: fc.constant("move on" as const),
      ms: fc.constantFrom(0, ANNOUNCED_MS, LEFT_MS),
      crash: moveCrash,
    }),
  ),
  step(
    2,
    record({
      do: fc.constant("deliver while it moves" as const),
      event: at,
      buyer: at,
      to: at,
      pauseAt: fc.nat({ max: STEPS_OF_DELIVERY_MAX }),
    }),
  ),
];

/** Any step, of kinds that are as frequent as their weights say. */
export const anyStep = (shards: number): fc.Arbitrary<Step> =>
  fc.oneof(...STEPS, ...(shards > 0 ? MOVES : []));
