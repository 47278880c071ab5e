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
/** Packs drawn one by one, before the load and after it: other work on the machine comes and goes. */
const PACKS_ALONE = 15;
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

function machineTimesOf(packs: readonly PackTimes[]): MachineTimes {
  const answers = packs.map(({ toAnswerMs }) => toAnswerMs);
  const drawing = packs.map(({ toPackMs, toAnswerMs }) => toPackMs - toAnswerMs);
  return {
    answerMs: mean(answers),
    answerVariation: variation(answers),
    drawMs: mean(drawing),
    drawVariation: variation(drawing),
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
      progress(`warming up, then ${PACKS_ALONE} packs one by one`);
      await drawAlone(service, first);
      const before = await drawAlone(service, first);
      const { answerMs, drawMs } = machineTimesOf(before);
      const dayMs = (PACKS_A_DAY * (answerMs + drawMs)) / USE;
      const arrivals = arrivalsOf(dayMs, shares);
      progress(`${arrivals.length} packs in ${Math.round(dayMs / 1_000)} s, on ${shards} databases`);
      const rowsBefore = await service.rowsWritten();
      const real = await sendAll(service, customers, arrivals);
      const rowsAfter = await service.rowsWritten();
      const after = await drawAlone(service, first);
      const messages = messagesFor("", "static", [...SIZE_IDS.keys()]).map(
        ({ positions }) => positions.length,
      );
      const plans = machinePlans(machineTimesOf([...before, ...after]), messages);
      const model = simulateMachine(arrivals, plans, placement, shards, SEED);
      const rows = compare(real, model.packs);
      service.homes.forEach((name, shard) => {
        const written = (rowsAfter[name] ?? 0) - (rowsBefore[name] ?? 0);
        rows.push(
          rowOf(`rows written to ${name}`, written, (model.packsOfShards[shard] ?? 0) * rowsOfPack()),
        );
      });
      const machine = machineTimesOf(before);
      const later = machineTimesOf(after);
      return {
        rows,
        targets: rows.flatMap(({ label, figures }) => targetOf(label, figures.ratio)),
        absences: [],
        notes: [
          `A day of ${arrivals.length} packs in ${Math.round(dayMs / 1_000)} s. One pack alone took ${Math.round(machine.answerMs)} and ${Math.round(machine.drawMs)} ms before the load and ${Math.round(later.answerMs)} and ${Math.round(later.drawMs)} ms after it; the simulator is given these, and when each pack was asked for.`,
        ],
      };
    } finally {
      await service.stop();
    }
  },
};

const rowOf = (label: string, measured: number, simulated: number): Row => ({
  label,
  figures: { measured, simulated, ratio: simulated / measured },
});

function compare(real: readonly PackTimes[], model: readonly PackTimes[]): Row[] {
  const of = (label: string, take: (packs: readonly PackTimes[]) => number): Row =>
    rowOf(label, take(real), take(model));
  const toPack = (packs: readonly PackTimes[]) => packs.map(({ toPackMs }) => toPackMs);
  const toAnswer = (packs: readonly PackTimes[]) => packs.map(({ toAnswerMs }) => toAnswerMs);
  return [
    of("time to a pack, median, ms", (packs) => median(toPack(packs))),
    of("time to a pack, mean, ms", (packs) => mean(toPack(packs))),
    of("time to a pack, 99th of 100, ms", (packs) => percentile(toPack(packs), 0.99)),
    of("time to the answer, median, ms", (packs) => median(toAnswer(packs))),
    of("packs open at once, mean", (packs) => openPacks(packs).mean),
    of("packs open at once, most", (packs) => openPacks(packs).most),
    of(
      "from the first request to the last pack, s",
      (packs) => Math.max(...packs.map(({ atMs, toPackMs }) => atMs + toPackMs)) / 1_000,
    ),
  ];
}

const targetOf = (label: string, ratio: number | null | undefined): readonly Target[] =>
  typeof ratio === "number"
    ? [atMost(`${label}: how far the simulator is off`, Math.abs(ratio - 1), ERROR_MAX)]
    : [];
