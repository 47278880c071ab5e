import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { memoryFolder } from "../../scripts/local/memory-folder.ts";
import {
  type Arrival,
  type MachineTimes,
  machinePlans,
  openPacks,
  type PackTimes,
  simulateMachine,
} from "../../scripts/simulate/measured.ts";
import { PACK_FIGURES } from "../../scripts/simulate/pack-figures.ts";
import { loadOf } from "../../scripts/simulate/run-load.ts";
import { placeBalanced, sharesOf } from "../../scripts/simulate/workspaces.ts";
import { messagesFor } from "../../src/queue/render-messages.ts";
import { atMost, type BenchCase, type Row, type Target } from "../bench-case.ts";
import { median, percentile } from "../clock/statistics.ts";
import { type ThreadTimes, type ThreadWatch, watchThread } from "../clock/thread-watch.ts";
import { rowsOfPack } from "../pack-of-ten.ts";
import { type Customer, createJob, openCustomer } from "../workerd/customer.ts";
import { type MeteredService, startMeteredService } from "../workerd/metered-service.ts";
import { until } from "../workerd/service.ts";

/**
 * A thousandth of docs/scaling.md: 10 workspaces, 10⁵ outputs a month, so 333 packs in a day. For a shorter look while something
 * is changed: MODEL_PACKS=100.
 */
const WORKSPACES = 10;
const SHARDS = 4;
const PACKS_A_DAY = Number(process.env.MODEL_PACKS ?? 1e5 / 10 / 30);
const TAIL = 1.16;
const WAVE = 0.8;
const BURST = 5;
const SEED = 18;
/** Share of the machine's time that the load takes in the mean; at the wave's peak it is 1.8 times that. */
const USE = 0.5;
/** Packs drawn one by one, before each part of the load and after the last: other work on the machine comes and goes. */
const PACKS_ALONE = 5;
/** Packs asked for at once. */
const PACKS_TOGETHER = 12;
/** The day is sent in so many parts, between which the machine is measured again. */
const PARTS = 6;
const POLL_MS = 100;
/** How far the simulator may be off. */
const ERROR_MAX = 0.2;

/** Small sizes of a logo, in two messages: what is measured is waiting, not drawing. */
const SIZE_IDS = ["iab-320x50", "iab-300x50", "iab-120x60", "gads-320x50", "gads-300x50"] as const;

interface Sent {
  readonly jobId: string;
  readonly atMs: number;
  readonly toAnswerMs: number;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks for a pack; times are from `startMs` of the wall clock. */
async function send(service: MeteredService, customer: Customer, startMs: number): Promise<Sent> {
  const atMs = Date.now() - startMs;
  const jobId = await createJob(service, customer, SIZE_IDS);
  return { jobId, atMs, toAnswerMs: Date.now() - startMs - atMs };
}

/** Until so many packs have ended that were asked for since then. Asks the databases only once all outputs are drawn. */
const untilDrawn = ({ databases, drawnAt }: MeteredService, packs: number, sinceMs: number): Promise<true> =>
  until(
    async () => {
      if (drawnAt.filter((atMs) => atMs >= sinceMs).length < packs * SIZE_IDS.length) return null;
      for (const db of databases) {
        const open = await db.prepare("SELECT 1 FROM jobs WHERE status IN ('queued', 'running')").first();
        if (open !== null) return null;
      }
      return true;
    },
    "the load",
    POLL_MS,
  );

/** When each job ended, in ms of the wall clock. Throws where one failed. */
async function endsOf({ databases }: MeteredService): Promise<ReadonlyMap<string, number>> {
  const ends = new Map<string, number>();
  for (const db of databases) {
    const { results } = await db
      .prepare("SELECT job_id AS jobId, status, finished_at AS endedMs FROM jobs")
      .all<{ readonly jobId: string; readonly status: string; readonly endedMs: number }>();
    for (const { jobId, status, endedMs } of results) {
      if (status !== "succeeded") throw new Error(`a job of the load is ${status}`);
      ends.set(jobId, endedMs);
    }
  }
  return ends;
}

async function timesOf(service: MeteredService, sent: readonly Sent[], startMs: number) {
  const ends = await endsOf(service);
  return sent.map(({ jobId, atMs, toAnswerMs }): PackTimes => {
    const endedMs = ends.get(jobId);
    if (endedMs === undefined) throw new Error("a job that was accepted is in no database");
    return { atMs, toAnswerMs, toPackMs: endedMs - startMs - atMs };
  });
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function variation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2))) / middle;
}

/** Draws packs one by one. */
async function drawAlone(service: MeteredService, customer: Customer): Promise<Alone> {
  const startMs = Date.now();
  const sent: Sent[] = [];
  for (let count = 0; count < PACKS_ALONE; count += 1) {
    sent.push(await send(service, customer, startMs));
    await untilDrawn(service, sent.length, startMs);
  }
  return { startMs, packs: await timesOf(service, sent, startMs) };
}

/** Packs that were drawn one by one; their times are from `startMs` of the wall clock. */
interface Alone {
  readonly startMs: number;
  readonly packs: readonly PackTimes[];
}

/** What a pack takes of the thread that does everything, requests and drawing, and what its drawing waits for others. */
type Together = Pick<MachineTimes, "requestMs" | "drawMs" | "drawPauseMs">;

/**
 * Asks for packs together, so that nothing but other work keeps the thread idle. Once all are accepted, it only draws; what
 * it took until then beyond the outputs that were drawn, it took for requests.
 */
async function drawTogether(
  service: MeteredService,
  thread: ThreadWatch,
  customer: Customer,
): Promise<Together> {
  const startMs = Date.now();
  const sent = await Promise.all(
    Array.from({ length: PACKS_TOGETHER }, () => send(service, customer, startMs)),
  );
  const acceptedMs = startMs + Math.max(...sent.map(({ atMs, toAnswerMs }) => atMs + toAnswerMs));
  await untilDrawn(service, PACKS_TOGETHER, startMs);
  const packs = await timesOf(service, sent, startMs);
  const endMs = startMs + Math.max(...packs.map(({ atMs, toPackMs }) => atMs + toPackMs));
  const drawnBefore = service.drawnAt.filter((atMs) => atMs >= startMs && atMs <= acceptedMs).length;
  const packsBefore = drawnBefore / SIZE_IDS.length;
  const packsAfter = PACKS_TOGETHER - packsBefore;
  const drawing = thread.between(acceptedMs, endMs);
  const drawMs = drawing.runMs / packsAfter;
  const requestsMs = thread.between(startMs, acceptedMs).runMs - drawMs * packsBefore;
  return {
    drawMs,
    requestMs: Math.max(1, requestsMs / PACKS_TOGETHER),
    drawPauseMs: Math.max(0, (endMs - acceptedMs - drawing.runMs - drawing.waitMs) / packsAfter),
  };
}

interface Measured {
  readonly alone: readonly MachineAlone[];
  readonly together: readonly Together[];
}

/** A pack that was alone: what the thread ran for its drawing, and what it waited beside the thread. */
interface MachineAlone {
  readonly drawMs: number;
  readonly toAnswerBesideMs: number;
  readonly toPackBesideMs: number;
}

async function measureMachine(
  service: MeteredService,
  thread: ThreadWatch,
  customer: Customer,
): Promise<Measured> {
  const { startMs, packs } = await drawAlone(service, customer);
  const together = await drawTogether(service, thread, customer);
  const alone = packs.map(({ atMs, toAnswerMs, toPackMs }): MachineAlone => {
    const answeredMs = startMs + atMs + toAnswerMs;
    const request = thread.between(startMs + atMs, answeredMs);
    const drawing = thread.between(answeredMs, startMs + atMs + toPackMs);
    return {
      drawMs: drawing.runMs,
      toAnswerBesideMs: toAnswerMs - request.runMs - request.waitMs,
      toPackBesideMs: toPackMs - toAnswerMs - drawing.runMs - drawing.waitMs,
    };
  });
  return { alone, together: [together] };
}

const bothOf = (one: Measured, other: Measured): Measured => ({
  alone: [...one.alone, ...other.alone],
  together: [...one.together, ...other.together],
});

function machineTimesOf({ alone, together }: Measured): MachineTimes {
  const drawPauseMs = mean(together.map((one) => one.drawPauseMs));
  return {
    requestMs: mean(together.map((one) => one.requestMs)),
    drawMs: mean(together.map((one) => one.drawMs)),
    drawPauseMs,
    answerDelayMs: Math.max(0, median(alone.map((one) => one.toAnswerBesideMs))),
    drawDelayMs: Math.max(0, median(alone.map((one) => one.toPackBesideMs)) - drawPauseMs),
    variation: variation(alone.map(({ drawMs }) => drawMs)),
  };
}

/** A day of the load, told in less. */
function arrivalsOf(dayMs: number, shares: Float64Array): readonly Arrival[] {
  const shape = {
    packsPerMs: PACKS_A_DAY / dayMs,
    waveMs: dayMs,
    waveHeight: WAVE,
    burstMean: BURST,
    burstGapMs: 0,
  };
  const next = loadOf(shape, shares, dayMs, SEED);
  const arrivals: Arrival[] = [];
  for (let burst = next(); burst !== null; burst = next()) {
    const { atMs, packs, workspace } = burst;
    for (let pack = 0; pack < packs; pack += 1) arrivals.push({ atMs, workspace });
  }
  return arrivals;
}

async function sendAll(
  service: MeteredService,
  customers: readonly Customer[],
  arrivals: readonly Arrival[],
): Promise<Alone> {
  const startMs = Date.now();
  const sending: Promise<Sent>[] = [];
  for (const { atMs, workspace } of arrivals) {
    await sleep(Math.max(0, atMs - (Date.now() - startMs)));
    const customer = customers[workspace];
    if (customer !== undefined) sending.push(send(service, customer, startMs));
  }
  const sent = await Promise.all(sending);
  await untilDrawn(service, sent.length, startMs);
  return { startMs, packs: await timesOf(service, sent, startMs) };
}

export const modelCase: BenchCase = {
  id: "model",
  title: "The simulator beside the service, under a thousandth of the load of docs/scaling.md",
  run: async ({ progress }) => {
    // In memory where there is some: a thread that waits for a disk is neither at work nor free.
    const memory = await memoryFolder();
    const stateFolder = memory === null ? null : await mkdtemp(join(memory, "creative-packs-model-"));
    const service = await startMeteredService(SHARDS, stateFolder);
    const thread = watchThread(service.worker.pid);
    try {
      const shards = SHARDS;
      const shares = sharesOf(WORKSPACES, TAIL);
      const placement = placeBalanced(shares, shards);
      const customers: Customer[] = [];
      for (const shard of placement) customers.push(await openCustomer(service, shard));
      const [first] = customers;
      if (first === undefined) throw new Error("there is no workspace");
      progress(`${PACKS_ALONE} packs one by one, ${PACKS_TOGETHER} at once`);
      await drawAlone(service, first);
      const measuredFromMs = Date.now();
      const machines = [await measureMachine(service, thread, first)];
      const given = shareOf(thread.between(measuredFromMs, Date.now()));
      const { requestMs, drawMs } = machineTimesOf(machines[0] ?? NEVER);
      const dayMs = (PACKS_A_DAY * (requestMs + drawMs)) / given / USE;
      const arrivals = arrivalsOf(dayMs, shares);
      progress(`${arrivals.length} packs in ${Math.round(dayMs / 1_000)} s, on ${shards} databases`);
      const messages = messagesFor({ jobId: "", motion: "static", positions: [...SIZE_IDS.keys()] }).map(
        ({ positions }) => positions.length,
      );
      const real: (readonly PackTimes[])[] = [];
      const model: (readonly PackTimes[])[] = [];
      const rowsReal = new Map<string, number>();
      const packsOfShards = Array.from({ length: shards }, () => 0);
      const loadedFromMs = Date.now();
      for (let part = 0; part < PARTS; part += 1) {
        const startMs = (dayMs * part) / PARTS;
        const some = arrivals
          .filter(({ atMs }) => atMs >= startMs && atMs < startMs + dayMs / PARTS)
          .map(({ atMs, workspace }) => ({ atMs: atMs - startMs, workspace }));
        const rowsBefore = await service.rowsWritten();
        const sent = await sendAll(service, customers, some);
        const paces = thread.paces(sent.startMs, Date.now());
        real.push(sent.packs);
        for (const [name, rows] of Object.entries(await service.rowsWritten())) {
          rowsReal.set(name, (rowsReal.get(name) ?? 0) + rows - (rowsBefore[name] ?? 0));
        }
        const before = machines.at(-1) ?? NEVER;
        const after = await measureMachine(service, thread, first);
        machines.push(after);
        const plans = machinePlans(machineTimesOf(bothOf(before, after)), messages, PACK_FIGURES);
        // When they were asked for, which is a little after they should have been.
        const asked = some.map(({ workspace }, place) => ({
          atMs: sent.packs[place]?.atMs ?? 0,
          workspace,
        }));
        const simulated = simulateMachine(asked, plans, placement, shards, SEED + part, paces);
        model.push(simulated.packs);
        simulated.packsOfShards.forEach((packs, shard) => {
          packsOfShards[shard] = (packsOfShards[shard] ?? 0) + packs;
        });
        progress(`part ${part + 1} of ${PARTS}: ${describe(machineTimesOf(after))}`);
      }
      const rows = compare(real, model);
      service.homes.forEach((name, shard) => {
        const written = (packsOfShards[shard] ?? 0) * rowsOf(messages.length);
        // In a short look a small workspace's shard may have none.
        if (written > 0) rows.push(rowOf(`rows written to ${name}`, rowsReal.get(name) ?? 0, written));
      });
      return {
        rows,
        targets: rows.flatMap(({ label, figures }) => targetOf(label, figures.ratio)),
        absences: [],
        notes: [
          `A day of ${arrivals.length} packs in ${Math.round(dayMs / 1_000)} s, in ${PARTS} parts. The simulator is given when each pack was asked for, what one takes of a processor, measured before and after each part (${machines.map((one) => Math.round(machineTimesOf(one).drawMs)).join(", ")} ms), and the share of a processor that the thread got whenever it wanted one: ${(100 * shareOf(thread.between(loadedFromMs, Date.now()))).toFixed(0)} % in the mean.`,
        ],
      };
    } finally {
      thread.stop();
      await service.stop();
      if (stateFolder !== null) await rm(stateFolder, { recursive: true, force: true });
    }
  },
};

/** Of the time in which a thread wanted a processor, that in which it had one. */
const shareOf = ({ runMs, waitMs }: ThreadTimes): number => runMs / (runMs + waitMs);

/** Rows of a pack in so many messages: a part fewer is claimed and completed. */
const rowsOf = (messages: number): number => {
  const { message, messages: ofTen } = PACK_FIGURES;
  const ofPart = message.d1.reduce((sum, rows) => sum + rows, 0);
  return rowsOfPack() - (ofTen.length - messages) * ofPart;
};

const describe = (times: MachineTimes): string => {
  const { requestMs, drawMs, answerDelayMs, drawDelayMs, drawPauseMs } = times;
  const [ofRequest, ofPack, ...beside] = [requestMs, drawMs, answerDelayMs, drawDelayMs, drawPauseMs].map(
    Math.round,
  );
  return `${ofRequest} and ${ofPack} ms of a processor for a request and a pack, ${beside.join(", ")} ms beside it`;
};

const NEVER: Measured = { alone: [], together: [] };

const rowOf = (label: string, measured: number, simulated: number): Row => ({
  label,
  figures: { measured, simulated, ratio: simulated / measured },
});

type Parts = readonly (readonly PackTimes[])[];

function compare(real: Parts, model: Parts): Row[] {
  const of = (label: string, take: (parts: Parts) => number): Row => rowOf(label, take(real), take(model));
  const toPack = (parts: Parts) => parts.flat().map(({ toPackMs }) => toPackMs);
  const toAnswer = (parts: Parts) => parts.flat().map(({ toAnswerMs }) => toAnswerMs);
  return [
    of("time to a pack, median, ms", (parts) => median(toPack(parts))),
    of("time to a pack, mean, ms", (parts) => mean(toPack(parts))),
    of("time to a pack, 99th of 100, ms", (parts) => percentile(toPack(parts), 0.99)),
    of("time to the answer, median, ms", (parts) => median(toAnswer(parts))),
    of("packs open at once, mean", (parts) => openPacks(parts).mean),
    of("packs open at once, most", (parts) => openPacks(parts).most),
    of("until the last pack, all parts, s", (parts) => openPacks(parts).spanMs / 1_000),
  ];
}

const targetOf = (label: string, ratio: number | null | undefined): readonly Target[] =>
  typeof ratio === "number"
    ? [atMost(`${label}: how far the simulator is off`, Math.abs(ratio - 1), ERROR_MAX)]
    : [];
