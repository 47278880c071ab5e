import type { PackPlans, Step } from "./plans.ts";
import { runLoad } from "./run-load.ts";
import type { Placement } from "./workspaces.ts";

/**
 * The simulator of a service on one machine: one thread does everything, and the local queue hands out one message at a
 * time. Its times are measured of packs drawn one by one; what is asked of it is what waits where many come.
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

/** Means and coefficients of variation of packs drawn one by one. */
export interface MachineTimes {
  readonly answerMs: number;
  readonly answerVariation: number;
  /** From the answer to the end. */
  readonly drawMs: number;
  readonly drawVariation: number;
}

/** A pack's outputs, drawn one after another, each of them a stretch in which the thread does nothing else. */
export function machinePlans(times: MachineTimes, messages: readonly number[]): PackPlans {
  const outputs = messages.reduce((sum, count) => sum + count, 0);
  const step = (serviceMs: number, variation: number): Step => ({
    delayMs: 0,
    place: "thread",
    serviceMs,
    variation,
  });
  // Of so many equal parts the sum varies less than each.
  const one = step(times.drawMs / outputs, times.drawVariation * Math.sqrt(outputs));
  return {
    request: [step(times.answerMs, times.answerVariation)],
    dispatch: [],
    messages: messages.map((count) => Array.from({ length: count }, () => one)),
    ending: [],
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
): { readonly packs: readonly PackTimes[]; readonly packsOfShards: readonly number[] } {
  const packs: PackTimes[] = [];
  const packsOfShards = Array.from({ length: shards }, () => 0);
  let taken = 0;
  runLoad({
    plans,
    placement,
    shards,
    consumers: 1,
    queuedMessagesMax: 160,
    next: () => {
      const arrival = arrivals[taken];
      taken += 1;
      return arrival === undefined ? null : { ...arrival, packs: 1 };
    },
    burstGapMs: 1,
    spanMs: arrivals.at(-1)?.atMs ?? 1,
    openPacksMax: arrivals.length + 1,
    seed,
    sampleMs: 1_000,
    onEnd: (atMs, endMs, workspace, answeredMs) => {
      packs.push({ atMs, toAnswerMs: answeredMs - atMs, toPackMs: endMs - atMs });
      const shard = placement[workspace] ?? 0;
      packsOfShards[shard] = (packsOfShards[shard] ?? 0) + 1;
    },
  });
  return { packs, packsOfShards };
}

/** Mean and most of the packs that were open at once, over the time from the first request to the last end. */
export function openPacks(packs: readonly PackTimes[]): { readonly mean: number; readonly most: number } {
  const changes = packs
    .flatMap(({ atMs, toPackMs }) => [
      { atMs, by: 1 },
      { atMs: atMs + toPackMs, by: -1 },
    ])
    .sort((one, other) => one.atMs - other.atMs || one.by - other.by);
  let open = 0;
  let most = 0;
  for (const { by } of changes) {
    open += by;
    most = Math.max(most, open);
  }
  const area = packs.reduce((sum, { toPackMs }) => sum + toPackMs, 0);
  const spanMs = (changes.at(-1)?.atMs ?? 0) - (changes[0]?.atMs ?? 0);
  return { mean: spanMs === 0 ? 0 : area / spanMs, most };
}
