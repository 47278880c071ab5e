import { beforeEach, it } from "vitest";
import { freshStorage } from "../fault/fresh-storage.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { runHistory } from "./run-history.ts";
import type { Step } from "./steps.ts";

/**
 * Histories that once disagreed with the provider, and histories of plans and refunds. They must agree in any order of
 * the remaining events.
 */

beforeEach(silenceLogs);
beforeEach(freshStorage);

/** Seeds for the order in which the remaining events are delivered at the end. */
const ENDINGS = [...Array(12).keys()];

const buy: Step = { do: "buy", buyer: 0, offer: 0, purchase: "card" };

const subscribe = { do: "subscribe", buyer: 0, offer: 0, isBeside: false } as const;

const HISTORIES: Readonly<Record<string, readonly Step[]>> = {
  // An inquiry withdraws no money. Two events report its escalation to a dispute: the update and the withdrawal.
  "an inquiry escalated to a dispute": [
    buy,
    { do: "dispute", payment: 0, percent: 1, isOfWhole: false, isInquiry: true },
    { do: "move a dispute", payment: 0, dispute: 0, end: "escalated" },
  ],
  // The service once refused the second plan permanently, though it was paid.
  "a plan whose start arrives before the previous plan's end": [
    subscribe,
    { do: "deliver", event: 4, crash: null },
    { do: "end plan", plan: 0 },
    subscribe,
  ],
  // A late invoice of the first plan once replaced the second plan, whose renewal was not paid.
  "an unpaid plan after one whose invoice arrives late": [
    subscribe,
    { do: "deliver", event: 4, crash: null },
    { do: "renew", plan: 0, isPaid: true },
    { do: "end plan", plan: 0 },
    subscribe,
    { do: "renew", plan: 1, isPaid: false },
    { do: "wait", ms: 40 * 86_400_000 },
  ],
  "two concurrent plans, the first ends": [
    subscribe,
    { ...subscribe, offer: 1, isBeside: true },
    { do: "renew", plan: 1, isPaid: true },
    { do: "end plan", plan: 0 },
  ],
  "two concurrent plans, the second ends": [
    subscribe,
    { ...subscribe, offer: 1, isBeside: true },
    { do: "renew", plan: 0, isPaid: true },
    { do: "end plan", plan: 1 },
  ],
  // The second plan started while the service considered the first one alive, and once never became active.
  "two successive plans that end early": [
    subscribe,
    { do: "end plan", plan: 0 },
    { do: "wait", ms: 3_600_000 },
    subscribe,
    { do: "end plan", plan: 1 },
  ],
  "a plan canceled, resumed, canceled and ended": [
    subscribe,
    ...[true, false, true].map((isCanceling): Step => ({ do: "set cancel", plan: 0, isCanceling })),
    { do: "end plan", plan: 0 },
  ],
  "a plan with refunds of two periods": [
    subscribe,
    { do: "renew", plan: 0, isPaid: true },
    { do: "refund", payment: 0, percent: 100, isPending: false },
    { do: "refund", payment: 1, percent: 50, isPending: false },
    { do: "dispute", payment: 1, percent: 100, isOfWhole: false, isInquiry: false },
    { do: "move a dispute", payment: 1, dispute: 0, end: "won" },
  ],
  "a disputed plan": [
    subscribe,
    { do: "dispute", payment: 0, percent: 100, isOfWhole: true, isInquiry: false },
  ],
  "three successive plans": [
    subscribe,
    { do: "renew", plan: 0, isPaid: true },
    { do: "end plan", plan: 0 },
    subscribe,
    { do: "end plan", plan: 1 },
    subscribe,
  ],
};

it.for(Object.entries(HISTORIES))("%s: the service agrees with the provider", async ([, steps]) => {
  for (const ending of ENDINGS) await runHistory(steps, ending);
});
