import { LIMITS } from "../../src/api/limits.ts";
import type { Pace } from "./pace.ts";
import type { PackFigures, PartFigures } from "./pack-figures.ts";
import type { PackPlans, Step } from "./plans.ts";
import { runLoad } from "./run-load.ts";
import type { Placement } from "./workspaces.ts";

/**
 * The simulator of a service on one machine: one thread does everything, and the local queue hands out one message at a
 * time. Its times are measured of packs drawn one by one and of some asked for together, in time of a processor; what is asked
 * of it is how long packs wait under a load, on a machine that gives the thread the share of a processor that it had.
 */

/** A pack that is asked for at a moment, in ms from the beginning. */
export interface Arrival {
  readonly atMs: number;
  readonly workspace: number;
}

/** A pack as it went. */
export interface PackTimes {
  readonly atMs: number;
  /** From the request to its answer, and from it to the pack's end. */
  readonly toAnswerMs: number;
  readonly toPackMs: number;
}

/** What a pack takes of a machine. */
export interface MachineTimes {
  /** Of a processor for its one thread: a request, and a pack's drawing. */
  readonly requestMs: number;
  readonly drawMs: number;
  /** Beside that, while the thread is free for others: until the answer, from it to the drawing, and within the drawing. */
  readonly answerDelayMs: number;
  readonly drawDelayMs: number;
  readonly drawPauseMs: number;
  /** Coefficient of variation of a pack's drawing. */
  readonly variation: number;
}

/** What of a pack's calls brings it to the thread. */
export type Calls = Pick<
  PackFigures,
  "request" | "message" | "output" | "ending" | "afterMessage" | "afterEnding"
>;

/** Calls of a part: with the answer of each, it comes to the thread again, and waits for what that does. */
const callsOf = ({ d1, r2Reads, r2Writes, objectCalls }: PartFigures): number =>
  d1.length + r2Reads + r2Writes + objectCalls;

/**
 * A request and the messages of a pack in stretches in which the thread does nothing else: an output is a stretch, and what
 * follows each call. They are taken to be equally long.
 */
export function machinePlans(times: MachineTimes, messages: readonly number[], calls: Calls): PackPlans {
  const ofMessages = messages.map(
    (outputs) => callsOf(calls.message) + callsOf(calls.afterMessage) + outputs * (1 + callsOf(calls.output)),
  );
  const ofEnding = callsOf(calls.ending) + callsOf(calls.afterEnding);
  const stretches = ofMessages.reduce((sum, count) => sum + count, ofEnding);
  const ofRequest = 1 + callsOf(calls.request);
  const step = (serviceMs: number, variation: number, delayMs = 0): Step => ({
    delayMs,
    place: "thread",
    serviceMs,
    variation,
  });
  // Of so many equal parts the sum varies less than each.
  const one = step(
    times.drawMs / stretches,
    times.variation * Math.sqrt(stretches),
    times.drawPauseMs / stretches,
  );
  const so = (count: number): readonly Step[] => Array.from({ length: count }, () => one);
  const away: Step = { delayMs: times.drawDelayMs, place: "isolate", serviceMs: 0, variation: 0 };
  return {
    request: Array.from({ length: ofRequest }, (_, stretch) =>
      step(times.requestMs / ofRequest, 0, stretch === 0 ? times.answerDelayMs : 0),
    ),
    dispatch: [away],
    messages: ofMessages.map(so),
    ending: so(ofEnding),
    handoverMs: 0,
    pollMs: 0,
    pollEveryMs: Number.POSITIVE_INFINITY,
    readMs: 0,
  };
}

/** What the simulator says of these packs on such a machine. */
export function simulateMachine(
  arrivals: readonly Arrival[],
  plans: PackPlans,
  placement: Placement,
  shards: number,
  seed: number,
  threadPaces: readonly Pace[] = [],
): { readonly packs: readonly PackTimes[]; readonly packsOfShards: readonly number[] } {
  const packs: PackTimes[] = [];
  const packsOfShards = Array.from({ length: shards }, () => 0);
  let taken = 0;
  runLoad({
    plans,
    placement,
    shards,
    consumers: 1,
    queuedMessagesMax: LIMITS.queuedMessagesMax,
    next: () => {
      const arrival = arrivals[taken];
      taken += 1;
      return arrival === undefined ? null : { ...arrival, packs: 1 };
    },
    burstGapMs: 1,
    spanMs: arrivals.at(-1)?.atMs ?? 1,
    openPacksMax: arrivals.length + 1,
    seed,
    threadPaces,
    sampleMs: 1_000,
    onEnd: (atMs, endMs, workspace, answeredMs) => {
      packs.push({ atMs, toAnswerMs: answeredMs - atMs, toPackMs: endMs - atMs });
      const shard = placement[workspace] ?? 0;
      packsOfShards[shard] = (packsOfShards[shard] ?? 0) + 1;
    },
  });
  return { packs, packsOfShards };
}

/** Packs that were open at once. */
interface OpenPacks {
  readonly mean: number;
  readonly most: number;
  /** From the first request to the last end. */
  readonly spanMs: number;
}

/** Of loads that were sent one after another, the mean over the time of all of them. */
export function openPacks(loads: readonly (readonly PackTimes[])[]): OpenPacks {
  let area = 0;
  let spanMs = 0;
  let most = 0;
  for (const packs of loads) {
    const changes = packs
      .flatMap(({ atMs, toPackMs }) => [
        { atMs, by: 1 },
        { atMs: atMs + toPackMs, by: -1 },
      ])
      .sort((one, other) => one.atMs - other.atMs || one.by - other.by);
    let open = 0;
    for (const { by } of changes) {
      open += by;
      most = Math.max(most, open);
    }
    area += packs.reduce((sum, { toPackMs }) => sum + toPackMs, 0);
    spanMs += (changes.at(-1)?.atMs ?? 0) - (changes[0]?.atMs ?? 0);
  }
  return { mean: spanMs === 0 ? 0 : area / spanMs, most, spanMs };
}
