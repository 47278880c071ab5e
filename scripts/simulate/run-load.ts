import { type Burst, burstsOf, type LoadShape } from "./arrivals.ts";
import { eventQueue } from "./event-queue.ts";
import { type Histogram, histogram } from "./histogram.ts";
import { type Pace, pacedBy } from "./pace.ts";
import { packTable } from "./pack-table.ts";
import { placesOf } from "./places.ts";
import type { PackPlans, Step } from "./plans.ts";
import { randomOf } from "./random.ts";
import { consumers, type Server, server } from "./stations.ts";
import { type Placement, samplerOf } from "./workspaces.ts";

export interface Run {
  readonly plans: PackPlans;
  readonly placement: Placement;
  readonly shards: number;
  /** Consumers of the queue that work at once. */
  readonly consumers: number;
  /** Messages of one database in the queue and at work that workspaces with more to draw share; see places.ts. */
  readonly queuedMessagesMax: number;
  /** Bursts in order of time; null when no more come. */
  readonly next: () => (Burst & { readonly workspace: number }) | null;
  readonly burstGapMs: number;
  /** How long packs come. All are ended after it, unless too many are open. */
  readonly spanMs: number;
  /** Packs open at once at which a run gives up: the load is more than is ended. */
  readonly openPacksMax: number;
  readonly seed: number;
  /** What the thread gets of a processor over time; all of it where nothing is said. */
  readonly threadPaces?: readonly Pace[];
  /** How often depths are noted. */
  readonly sampleMs: number;
  /** Hears of each pack's end, in order of time. */
  readonly onEnd?: (arrivalMs: number, endMs: number, workspace: number, answeredMs: number) => void;
}

export interface ShardFigures {
  readonly calls: number;
  readonly busyMs: number;
  readonly waitedMs: number;
  /** The largest share of an hour (or of the span's 24th part) in which it was busy. */
  readonly busiestShare: number;
}

/** One of the 24 parts of the span. */
export interface PartFigures {
  readonly packs: number;
  readonly depthMax: number;
  readonly toPackMs: { readonly median: number; readonly p99: number };
}

export interface RunFigures {
  readonly packs: number;
  readonly ended: number;
  readonly open: number;
  readonly isOverloaded: boolean;
  readonly toAnswerMs: Histogram;
  readonly toPackMs: Histogram;
  /** Messages that wait in the queue, each time that was noted. */
  readonly depth: Histogram;
  readonly depthMax: number;
  /** Packs that wait in the databases for a place in the queue. */
  readonly heldMax: number;
  readonly busyConsumersMean: number;
  readonly busyConsumersMax: number;
  readonly messagesPerSecondMax: number;
  readonly polls: number;
  readonly shards: readonly ShardFigures[];
  readonly parts: readonly PartFigures[];
  readonly events: number;
  /** When the last pack ended. */
  readonly endMs: number;
}

const PARTS = 24;
/** As src/queue/sweeps/job-sweeps.ts. */
const SWEEP_MS = 60_000;
const SWEPT_WORKSPACES = 40;

/** Draws bursts of a wave over workspaces. */
export function loadOf(
  shape: LoadShape,
  shares: Float64Array,
  spanMs: number,
  seed: number,
): () => (Burst & { readonly workspace: number }) | null {
  const random = randomOf(seed);
  const nextBurst = burstsOf(shape, random);
  const workspaceOf = samplerOf(shares, random);
  return () => {
    const burst = nextBurst();
    return burst.atMs >= spanMs ? null : { ...burst, workspace: workspaceOf() };
  };
}

/** What an event stands for. */
const PHASES = ["arrival", "sample", "sweep", "burst", "request", "dispatch", "message", "ending"] as const;
type Phase = (typeof PHASES)[number];
const PHASE_BITS = 3;

/** Runs a load through the service's model. Equal runs give equal figures. */
export function runLoad(run: Run): RunFigures {
  const { plans, placement, spanMs } = run;
  const random = randomOf(run.seed);
  const events = eventQueue();
  const shards = Array.from({ length: run.shards }, server);
  const thread = server(pacedBy(run.threadPaces ?? []));
  const queue = consumers(run.consumers);
  const packs = packTable(plans.messages.length);
  const bursts = burstTable();
  const places = placesOf(placement, run.shards, plans.messages.length, run.queuedMessagesMax);
  const stats = statisticsOf(run, shards);
  let next = run.next();
  let created = 0;
  let ended = 0;
  let polls = 0;
  let taken = 0;
  let heldMax = 0;
  let endMs = 0;
  let isOverloaded = false;

  const add = (atMs: number, phase: Phase, item: number): void =>
    events.add(atMs, item * 2 ** PHASE_BITS + PHASES.indexOf(phase));
  const serve = (step: Step, workspace: number, nowMs: number): number => {
    const serviceMs = random.logNormal(step.serviceMs, step.variation);
    if (step.place === "isolate") return nowMs + serviceMs;
    if (step.place === "thread") return thread.serve(nowMs, serviceMs);
    return shardOf(shards, placement, workspace).serve(nowMs, serviceMs);
  };
  /** Sends an item on to the next step of a plan; false when it was through with it. */
  const proceed = (phase: Phase, steps: readonly Step[], item: number, nowMs: number): boolean => {
    const step = steps[packs.stepOf(item)];
    if (step === undefined) return false;
    const doneMs = serve(step, packs.workspaceOf(item), nowMs);
    packs.nextStep(item);
    add(doneMs + (steps[packs.stepOf(item)]?.delayMs ?? 0), phase, item);
    return true;
  };
  const begin = (phase: Phase, steps: readonly Step[], item: number, atMs: number): void => {
    packs.restart(item);
    add(atMs + (steps[0]?.delayMs ?? 0), phase, item);
  };
  const createPack = (workspace: number, nowMs: number): void => {
    created += 1;
    stats.created(nowMs);
    begin("request", plans.request, packs.open(workspace, nowMs), nowMs);
  };
  const enqueue = (message: number, nowMs: number): void => {
    stats.sent(nowMs);
    const started = queue.arrive(message, nowMs);
    if (started !== -1) start(started, nowMs);
  };
  const stepsOf = (message: number): readonly Step[] => plans.messages[packs.messageOf(message)] ?? [];
  const start = (message: number, nowMs: number): void => {
    stats.busy(queue.busy());
    begin("message", stepsOf(message), message, nowMs);
  };
  const sendPack = (pack: number, nowMs: number): void => {
    for (let message = 0; message < plans.messages.length; message += 1) {
      enqueue(packs.messageItem(pack, message), nowMs);
    }
  };
  const endMessage = (message: number, nowMs: number): void => {
    if (packs.endMessage(message)) endPack(message, nowMs);
    const started = queue.end(nowMs);
    if (started !== -1) start(started, nowMs + plans.handoverMs);
  };
  const endPack = (item: number, nowMs: number): void => {
    const workspace = packs.workspaceOf(item);
    const askedMs = packs.askedMs(item);
    const asked = Math.ceil(Math.max(0, nowMs - packs.answeredMs(item)) / plans.pollEveryMs);
    ended += 1;
    polls += asked;
    endMs = nowMs;
    if (plans.pollMs + plans.readMs > 0) {
      shardOf(shards, placement, workspace).serve(nowMs, asked * plans.pollMs + plans.readMs);
    }
    stats.ended(askedMs, nowMs);
    run.onEnd?.(askedMs, nowMs, workspace, packs.answeredMs(item));
    packs.close(item);
    for (const pack of places.leave(workspace)) sendPack(pack, nowMs);
  };
  const handle: Readonly<Record<Phase, (item: number, nowMs: number) => void>> = {
    arrival: (_, nowMs) => {
      if (next === null) return;
      const { workspace, packs: count } = next;
      createPack(workspace, nowMs);
      if (count > 1) add(nowMs + run.burstGapMs, "burst", bursts.open(workspace, count - 1));
      next = run.next();
      if (next !== null) add(next.atMs, "arrival", 0);
    },
    burst: (burst, nowMs) => {
      createPack(bursts.workspaceOf(burst), nowMs);
      if (bursts.shorten(burst) > 0) add(nowMs + run.burstGapMs, "burst", burst);
    },
    sample: (_, nowMs) => {
      stats.sample(queue.waiting(), nowMs);
      if (nowMs + run.sampleMs < spanMs) add(nowMs + run.sampleMs, "sample", 0);
    },
    sweep: (_, nowMs) => {
      for (const pack of places.sweep(SWEPT_WORKSPACES)) sendPack(pack, nowMs);
      if (created > ended || next !== null) add(nowMs + SWEEP_MS, "sweep", 0);
    },
    request: (item, nowMs) => {
      if (proceed("request", plans.request, item, nowMs)) return;
      packs.answer(item, nowMs);
      stats.answered(nowMs - packs.askedMs(item));
      begin("dispatch", plans.dispatch, item, nowMs);
    },
    dispatch: (item, nowMs) => {
      if (proceed("dispatch", plans.dispatch, item, nowMs)) return;
      if (places.ask(item, packs.workspaceOf(item))) sendPack(item, nowMs);
      heldMax = Math.max(heldMax, places.waiting());
    },
    message: (message, nowMs) => {
      if (proceed("message", stepsOf(message), message, nowMs)) return;
      if (packs.isLast(message)) begin("ending", plans.ending, message, nowMs);
      else endMessage(message, nowMs);
    },
    ending: (message, nowMs) => {
      if (!proceed("ending", plans.ending, message, nowMs)) endMessage(message, nowMs);
    },
  };

  if (next !== null) add(next.atMs, "arrival", 0);
  add(0, "sample", 0);
  add(SWEEP_MS, "sweep", 0);
  while (events.size() > 0) {
    const nowMs = events.nextMs();
    const event = events.take();
    taken += 1;
    handle[PHASES[event & (2 ** PHASE_BITS - 1)] ?? "arrival"](event >> PHASE_BITS, nowMs);
    if (created - ended <= run.openPacksMax) continue;
    isOverloaded = true;
    endMs = nowMs;
    break;
  }
  const line = queue.figures(Math.max(endMs, spanMs));
  return {
    ...stats.figures(),
    packs: created,
    ended,
    open: created - ended,
    isOverloaded,
    depthMax: line.waitingMax,
    heldMax,
    busyConsumersMean: line.busyMean,
    polls,
    events: taken,
    endMs,
  };
}

/** Bursts of which packs are still to come. */
function burstTable() {
  const workspaces: number[] = [];
  const left: number[] = [];
  const free: number[] = [];
  return {
    open: (workspace: number, packs: number): number => {
      const burst = free.pop() ?? left.length;
      workspaces[burst] = workspace;
      left[burst] = packs;
      return burst;
    },
    workspaceOf: (burst: number): number => workspaces[burst] ?? 0,
    /** One pack fewer; returns how many are left. */
    shorten: (burst: number): number => {
      const rest = (left[burst] ?? 0) - 1;
      left[burst] = rest;
      if (rest === 0) free.push(burst);
      return rest;
    },
  };
}

function shardOf(shards: readonly Server[], placement: Placement, workspace: number): Server {
  const shard = shards[placement[workspace] ?? 0];
  if (shard === undefined) throw new Error(`workspace ${workspace} is on no shard`);
  return shard;
}

/** Takes down what a run shows. */
function statisticsOf({ spanMs }: Run, shards: readonly Server[]) {
  const [toAnswerMs, toPackMs, depth] = [histogram(), histogram(), histogram()];
  const parts = Array.from({ length: PARTS }, () => ({ packs: 0, depthMax: 0, toPackMs: histogram() }));
  const partOf = (atMs: number) => parts[Math.min(PARTS - 1, Math.floor((atMs * PARTS) / spanMs))];
  const busyBefore = new Float64Array(shards.length);
  const busiest = new Float64Array(shards.length);
  let partEndMs = spanMs / PARTS;
  let second = 0;
  let sentInSecond = 0;
  let sentInSecondMax = 0;
  let busyMax = 0;
  return {
    created: (atMs: number): void => {
      const part = partOf(atMs);
      if (part !== undefined) part.packs += 1;
    },
    answered: (ms: number): void => toAnswerMs.add(ms),
    ended: (askedMs: number, endMs: number): void => {
      toPackMs.add(endMs - askedMs);
      partOf(askedMs)?.toPackMs.add(endMs - askedMs);
    },
    sent: (atMs: number): void => {
      const now = Math.floor(atMs / 1_000);
      sentInSecond = now === second ? sentInSecond + 1 : 1;
      second = now;
      sentInSecondMax = Math.max(sentInSecondMax, sentInSecond);
    },
    busy: (count: number): void => {
      busyMax = Math.max(busyMax, count);
    },
    sample: (waiting: number, atMs: number): void => {
      depth.add(waiting);
      const part = partOf(atMs);
      if (part !== undefined) part.depthMax = Math.max(part.depthMax, waiting);
      if (atMs < partEndMs) return;
      partEndMs += spanMs / PARTS;
      shards.forEach((shard, place) => {
        const share = (shard.busyMs() - (busyBefore[place] ?? 0)) / (spanMs / PARTS);
        busiest[place] = Math.max(busiest[place] ?? 0, share);
        busyBefore[place] = shard.busyMs();
      });
    },
    figures: () => ({
      toAnswerMs,
      toPackMs,
      depth,
      busyConsumersMax: busyMax,
      messagesPerSecondMax: sentInSecondMax,
      shards: shards.map((shard, place) => ({
        calls: shard.served(),
        busyMs: shard.busyMs(),
        waitedMs: shard.waitedMs(),
        busiestShare: busiest[place] ?? 0,
      })),
      parts: parts.map(({ packs, depthMax, toPackMs: times }) => ({
        packs,
        depthMax,
        toPackMs: { median: times.quantile(0.5), p99: times.quantile(0.99) },
      })),
    }),
  };
}
