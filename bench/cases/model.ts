import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Failure } from "../../scripts/local/failure.ts";
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
import { rowsOfPack } from "../pack-of-ten.ts";
import { type MeteredService, startMeteredService } from "../workerd/metered-service.ts";
import { openClient } from "../workerd/open-client.ts";
import { until } from "../workerd/service.ts";
import { uploadAsset } from "../workerd/upload.ts";
import { readLogo } from "./design.ts";

/** A thousandth of docs/scaling.md: 10 workspaces, 10⁵ outputs a month, so 333 packs in a day. */
const WORKSPACES = 10;
const SHARDS = 4;
const PACKS_A_DAY = 1e5 / 10 / 30;
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
const CREDITS = 1_000_000;
const POLL_MS = 100;
/** How far the simulator may be off. */
const ERROR_MAX = 0.2;

/** Small sizes of a logo, in two messages: what is measured is waiting, not drawing. */
const SIZE_IDS = ["iab-320x50", "iab-300x50", "iab-120x60", "gads-320x50", "gads-300x50"] as const;

interface Customer {
  readonly secret: string;
  readonly logo: string;
}

const accepted = z.object({ data: z.object({ jobId: z.string() }) });

interface Sent {
  readonly jobId: string;
  readonly atMs: number;
  readonly toAnswerMs: number;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks for a pack; times are from `startMs` of the wall clock. */
async function send(service: MeteredService, { secret, logo }: Customer, startMs: number): Promise<Sent> {
  const atMs = Date.now() - startMs;
  const response = await fetch(`${service.worker.origin}/api/v1/jobs`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${secret}`,
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID(),
    },
    body: JSON.stringify({
      contractId: "display.v1",
      selectedSizeIds: SIZE_IDS,
      assetIds: { logo },
    }),
  });
  if (!response.ok) throw new Failure(`POST /jobs answered ${response.status}: ${await response.text()}`);
  const { data } = accepted.parse(await response.json());
  return { jobId: data.jobId, atMs, toAnswerMs: Date.now() - startMs - atMs };
}

const untilDrawn = ({ databases }: MeteredService): Promise<true> =>
  until(
    async () => {
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
async function drawAlone(service: MeteredService, customer: Customer): Promise<readonly PackTimes[]> {
  const startMs = Date.now();
  const sent: Sent[] = [];
  for (let count = 0; count < PACKS_ALONE; count += 1) {
    sent.push(await send(service, customer, startMs));
    await untilDrawn(service);
  }
  return timesOf(service, sent, startMs);
}

/** What a pack takes of the thread that does everything: requests, and drawing. */
type Together = Pick<MachineTimes, "requestMs" | "drawMs">;

/**
 * Asks for packs together, so that the thread is never idle. Once all are accepted, it only draws; what it took until then
 * beyond the packs that ended, it took for requests.
 */
async function drawTogether(service: MeteredService, customer: Customer): Promise<Together> {
  const startMs = Date.now();
  const sent = await Promise.all(
    Array.from({ length: PACKS_TOGETHER }, () => send(service, customer, startMs)),
  );
  const acceptedMs = Math.max(...sent.map(({ atMs, toAnswerMs }) => atMs + toAnswerMs));
  await untilDrawn(service);
  const ends = (await timesOf(service, sent, startMs)).map(({ atMs, toPackMs }) => atMs + toPackMs);
  const later = ends.filter((endMs) => endMs > acceptedMs).length;
  const drawMs = (Math.max(...ends) - acceptedMs) / later;
  const requestsMs = acceptedMs - drawMs * (PACKS_TOGETHER - later);
  return { drawMs, requestMs: Math.max(1, requestsMs / PACKS_TOGETHER) };
}

interface Measured {
  readonly alone: readonly PackTimes[];
  readonly together: readonly Together[];
}

const measureMachine = async (service: MeteredService, customer: Customer): Promise<Measured> => ({
  alone: await drawAlone(service, customer),
  together: [await drawTogether(service, customer)],
});

const bothOf = (one: Measured, other: Measured): Measured => ({
  alone: [...one.alone, ...other.alone],
  together: [...one.together, ...other.together],
});

function machineTimesOf({ alone, together }: Measured): MachineTimes {
  const drawing = alone.map(({ toPackMs, toAnswerMs }) => toPackMs - toAnswerMs);
  const requestMs = mean(together.map((one) => one.requestMs));
  const drawMs = mean(together.map((one) => one.drawMs));
  return {
    requestMs,
    drawMs,
    answerDelayMs: Math.max(0, median(alone.map(({ toAnswerMs }) => toAnswerMs)) - requestMs),
    drawDelayMs: Math.max(0, median(drawing) - drawMs),
    variation: variation(drawing),
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
): Promise<readonly PackTimes[]> {
  const startMs = Date.now();
  const sending: Promise<Sent>[] = [];
  for (const { atMs, workspace } of arrivals) {
    await sleep(Math.max(0, atMs - (Date.now() - startMs)));
    const customer = customers[workspace];
    if (customer !== undefined) sending.push(send(service, customer, startMs));
  }
  const sent = await Promise.all(sending);
  await untilDrawn(service);
  return timesOf(service, sent, startMs);
}

export const modelCase: BenchCase = {
  id: "model",
  title: "The simulator beside the service, under a thousandth of the load of docs/scaling.md",
  run: async ({ progress }) => {
    const service = await startMeteredService(SHARDS);
    try {
      const shards = SHARDS;
      const shares = sharesOf(WORKSPACES, TAIL);
      const placement = placeBalanced(shares, shards);
      const customers: Customer[] = [];
      for (const shard of placement) {
        const { secret } = await service.openWorkspace(CREDITS, shard);
        const client = openClient(service.worker.origin, secret);
        customers.push({ secret, logo: await uploadAsset(client, "logo", await readLogo()) });
      }
      const [first] = customers;
      if (first === undefined) throw new Error("there is no workspace");
      progress(`${PACKS_ALONE} packs one by one, ${PACKS_TOGETHER} at once`);
      await drawAlone(service, first);
      const machines = [await measureMachine(service, first)];
      const { requestMs, drawMs } = machineTimesOf(machines[0] ?? NEVER);
      const dayMs = (PACKS_A_DAY * (requestMs + drawMs)) / USE;
      const arrivals = arrivalsOf(dayMs, shares);
      progress(`${arrivals.length} packs in ${Math.round(dayMs / 1_000)} s, on ${shards} databases`);
      const messages = messagesFor("", "static", [...SIZE_IDS.keys()]).map(
        ({ positions }) => positions.length,
      );
      const real: (readonly PackTimes[])[] = [];
      const model: (readonly PackTimes[])[] = [];
      const rowsReal = new Map<string, number>();
      const packsOfShards = Array.from({ length: shards }, () => 0);
      for (let part = 0; part < PARTS; part += 1) {
        const startMs = (dayMs * part) / PARTS;
        const some = arrivals
          .filter(({ atMs }) => atMs >= startMs && atMs < startMs + dayMs / PARTS)
          .map(({ atMs, workspace }) => ({ atMs: atMs - startMs, workspace }));
        const rowsBefore = await service.rowsWritten();
        real.push(await sendAll(service, customers, some));
        for (const [name, rows] of Object.entries(await service.rowsWritten())) {
          rowsReal.set(name, (rowsReal.get(name) ?? 0) + rows - (rowsBefore[name] ?? 0));
        }
        const before = machines.at(-1) ?? NEVER;
        const after = await measureMachine(service, first);
        machines.push(after);
        const plans = machinePlans(machineTimesOf(bothOf(before, after)), messages);
        const simulated = simulateMachine(some, plans, placement, shards, SEED + part);
        model.push(simulated.packs);
        simulated.packsOfShards.forEach((packs, shard) => {
          packsOfShards[shard] = (packsOfShards[shard] ?? 0) + packs;
        });
        progress(`part ${part + 1} of ${PARTS}: ${describe(machineTimesOf(after))}`);
      }
      const rows = compare(real, model);
      service.homes.forEach((name, shard) => {
        const written = (packsOfShards[shard] ?? 0) * rowsOf(messages.length);
        rows.push(rowOf(`rows written to ${name}`, rowsReal.get(name) ?? 0, written));
      });
      return {
        rows,
        targets: rows.flatMap(({ label, figures }) => targetOf(label, figures.ratio)),
        absences: [],
        notes: [
          `A day of ${arrivals.length} packs in ${Math.round(dayMs / 1_000)} s, in ${PARTS} parts. The simulator is given when each pack was asked for, and what this machine takes, measured before and after each part: ${machines.map((one) => Math.round(machineTimesOf(one).drawMs)).join(", ")} ms of its thread for a pack.`,
        ],
      };
    } finally {
      await service.stop();
    }
  },
};

/** Rows of a pack in so many messages: a part fewer is claimed and completed. */
const rowsOf = (messages: number): number => {
  const { message, messages: ofTen } = PACK_FIGURES;
  const ofPart = message.d1.reduce((sum, rows) => sum + rows, 0);
  return rowsOfPack() - (ofTen.length - messages) * ofPart;
};

const describe = ({ requestMs, drawMs, answerDelayMs, drawDelayMs }: MachineTimes): string =>
  `${Math.round(requestMs)} and ${Math.round(drawMs)} ms of the thread for a request and a pack, ${Math.round(answerDelayMs)} and ${Math.round(drawDelayMs)} ms beside it`;

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
