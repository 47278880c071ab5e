import { beforeEach, it } from "vitest";
import { freshStorage } from "../fault/fresh-storage.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { runHistory } from "./run-history.ts";
import type { Step } from "./steps.ts";

/**
 * Guarantee: histories of events that once disagreed with the provider, and those of a plan and its money, agree, whatever
 * order the rest comes in.
 */

beforeEach(silenceLogs);
beforeEach(freshStorage);

/** Orders in which what was not delivered comes at the end. */
const ENDINGS = [...Array(12).keys()];

const buy: Step = { do: "buy", buyer: 0, offer: 0, purchase: "card" };

const subscribe = { do: "subscribe", buyer: 0, offer: 0, isBeside: false } as const;

const HISTORIES: Readonly<Record<string, readonly Step[]>> = {
  // A bank's inquiry takes no money. That it became a dispute is told by an update, and by the money that goes.
  "an inquiry that becomes a dispute": [
    buy,
    { do: "dispute", payment: 0, percent: 1, isOfWhole: false, isInquiry: true },
    { do: "move a dispute", payment: 0, dispute: 0, end: "escalated" },
  ],
  // The second was refused for good, though it was paid for.
  "a plan that is told of before the end of the one before it": [
    subscribe,
    { do: "deliver", event: 4, crash: null },
    { do: "end plan", plan: 0 },
    subscribe,
  ],
  // A late invoice of the first took the place of the second, which was not paid in time.
  "a plan that is not paid in time, after one that is told of late": [
    subscribe,
    { do: "deliver", event: 4, crash: null },
    { do: "renew", plan: 0, isPaid: true },
    { do: "end plan", plan: 0 },
    subscribe,
    { do: "renew", plan: 1, isPaid: false },
    { do: "wait", ms: 40 * 86_400_000 },
  ],
  "two plans at once, of which the first ends": [
    subscribe,
    { ...subscribe, offer: 1, isBeside: true },
    { do: "renew", plan: 1, isPaid: true },
    { do: "end plan", plan: 0 },
  ],
  "two plans at once, of which the second ends": [
    subscribe,
    { ...subscribe, offer: 1, isBeside: true },
    { do: "renew", plan: 0, isPaid: true },
    { do: "end plan", plan: 1 },
  ],
  // The second was told of while the first still lived, as far as was known: it never got its place back.
  "two plans that ended early, the one after the other": [
    subscribe,
    { do: "end plan", plan: 0 },
    { do: "wait", ms: 3_600_000 },
    subscribe,
    { do: "end plan", plan: 1 },
  ],
  "a plan that is canceled, taken back and ended": [
    subscribe,
    ...[true, false, true].map((isCanceling): Step => ({ do: "set cancel", plan: 0, isCanceling })),
    { do: "end plan", plan: 0 },
  ],
  "a plan whose money goes back, of one period and of the next": [
    subscribe,
    { do: "renew", plan: 0, isPaid: true },
    { do: "refund", payment: 0, percent: 100, isPending: false },
    { do: "refund", payment: 1, percent: 50, isPending: false },
    { do: "dispute", payment: 1, percent: 100, isOfWhole: false, isInquiry: false },
    { do: "move a dispute", payment: 1, dispute: 0, end: "won" },
  ],
  "a plan whose money is in dispute": [
    subscribe,
    { do: "dispute", payment: 0, percent: 100, isOfWhole: true, isInquiry: false },
  ],
  "three plans, the one after the other": [
    subscribe,
    { do: "renew", plan: 0, isPaid: true },
    { do: "end plan", plan: 0 },
    subscribe,
    { do: "end plan", plan: 1 },
    subscribe,
  ],
};

it.for(Object.entries(HISTORIES))("%s", async ([, steps]) => {
  for (const ending of ENDINGS) await runHistory(steps, ending);
});
