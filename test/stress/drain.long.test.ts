import { afterAll, beforeAll, expect, it } from "vitest";
import { residentBytesOf } from "../../bench/clock/process-figures.ts";
import { type CountingService, startCountingService } from "../../bench/workerd/counting-service.ts";
import type { Workspace } from "../../bench/workerd/service.ts";
import { SMALL_MEMORY } from "../../scripts/local/worker.ts";
import { imbalance, misbooked, readBooks } from "./books.ts";
import { ask, jobRequest, mapAtOnce, type Sent, uploadLogo } from "./http-client.ts";
import { reportStress } from "./report.ts";
import { stressScale } from "./scale.ts";
import { type Point, slopeOf } from "./slope.ts";
import { type DatabaseBooks, listObjects, readDatabase } from "./stored-result.ts";

/**
 * Drains a load of small jobs in many workspaces on four databases, far more jobs than fit in the queue at once. Each
 * job is charged once and stored completely, and memory does not grow. Only the renderer is replaced, by a stand-in
 * that writes files of one byte.
 */

const SHARDS = 4;
const JOB_REQUESTS_AT_ONCE = 50;
const OTHERS_AT_ONCE = 8;
/** Credits left after all jobs. A wrong charge would change them. */
const CREDITS_LEFT = 7;
/** Interval of the sweep, as in wrangler.toml. */
const SWEEP_EVERY_MS = 60_000;
/** Jobs between two memory measurements. */
const JOBS_PER_LOOK = 500;
/** Pause between two counts of open jobs, once all are created. */
const LOOK_PAUSE_MS = 1_000;
/** Time in ms reserved for reading the result before the time limit of this part of the stress run. */
const READING_MS = 180_000;
/** Memory is measured from this number of jobs on. With fewer, start-up allocations dominate. */
const JOBS_FOR_MEMORY_MIN = 20_000;
/** Maximum growth of the process in the second half, in bytes per 1,000 jobs. */
const GROWTH_BYTES_MAX = 2_000_000;

interface Customer extends Workspace {
  readonly logoId: string;
}

interface Look extends Point {
  readonly atMs: number;
}

let service: CountingService;
beforeAll(async () => {
  // Saves memory, as in every local run of the worker.
  Object.assign(process.env, SMALL_MEMORY);
  service = await startCountingService(SHARDS);
});
afterAll(() => service.stop());

const jobsOfWorkspace = (): number => stressScale().drainJobs / stressScale().drainWorkspaces;
const creditsGiven = (): number => jobsOfWorkspace() + CREDITS_LEFT;

const openCustomers = (): Promise<Customer[]> =>
  mapAtOnce(OTHERS_AT_ONCE, Array.from({ length: stressScale().drainWorkspaces }), async (_, at) => {
    const workspace = await service.openWorkspace(creditsGiven(), at % SHARDS);
    return { ...workspace, logoId: await uploadLogo(service.worker.origin, workspace.secret) };
  });

async function countOpen(): Promise<number> {
  const counts = await Promise.all(
    service.databases.map((db) =>
      db
        .prepare("SELECT COUNT(*) AS open FROM jobs WHERE finished_at IS NULL")
        .first<{ readonly open: number }>(),
    ),
  );
  return counts.reduce((sum, row) => sum + (row?.open ?? 0), 0);
}

/** Runs the sweep each minute until `stop`, which waits for a running sweep. */
function keepSweeping(): { readonly stop: () => Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => service.sweep());
    running.catch(() => undefined);
  }, SWEEP_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

interface Load {
  readonly jobIds: readonly string[];
  readonly refused: number;
  readonly open: number;
  readonly looks: readonly Look[];
}

/** Jobs are created within this share of the time, because drawing takes most of it. */
const ASKING_SHARE = 1 / 3;

/** Creates the jobs, taking the workspaces in turn. Waits until no job is open or the part's time is nearly over. */
async function drain(customers: readonly Customer[], jobs: number): Promise<Load> {
  const startMs = Date.now();
  const deadlineMs = (stressScale().endsAtMs ?? Number.POSITIVE_INFINITY) - READING_MS;
  const askedUntilMs = startMs + (deadlineMs - startMs) * ASKING_SHARE;
  const jobIds: string[] = [];
  const looks: Look[] = [];
  let [refused, open] = [0, 0];
  const look = async () => {
    open = await countOpen();
    const drawn = jobIds.length - open;
    if (open > 0 && drawn < (looks.at(-1)?.x ?? 0) + JOBS_PER_LOOK) return;
    looks.push({ x: drawn, y: residentBytesOf(service.worker.pid), atMs: Date.now() - startMs });
  };
  for (let asked = 0; asked < jobs && Date.now() < askedUntilMs; asked += JOBS_PER_LOOK) {
    const places = Array.from({ length: Math.min(JOBS_PER_LOOK, jobs - asked) }, (_, at) => asked + at);
    const answers = await mapAtOnce(JOB_REQUESTS_AT_ONCE, places, (place) => {
      const { secret, logoId } = customers[place % customers.length] ?? { secret: "", logoId: "" };
      return send(jobRequest(secret, logoId, `drain-${place}`));
    });
    for (const { status, body } of answers) {
      if (status === 202) jobIds.push(String(body.data.jobId));
      else refused += 1;
    }
    await look();
  }
  while (open > 0 && Date.now() < deadlineMs) {
    // Pauses, because counting in four databases takes as long as drawing a job.
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));
    await look();
  }
  return { jobIds, refused, open, looks };
}

const send = (sent: Sent) => ask(service.worker.origin, sent);

/** Growth of the process in bytes per 1,000 jobs, over the second half of the jobs. */
const growthOf = ({ jobIds, looks }: Load): number =>
  1_000 * slopeOf(looks.filter(({ x }) => x >= jobIds.length / 2));

function printCurve({ jobIds, looks }: Load): void {
  const quarters = [0.25, 0.5, 0.75, 1].map((part) => looks.find(({ x }) => x >= jobIds.length * part));
  for (const quarter of quarters) {
    if (quarter === undefined) continue;
    const { x: jobs, y: bytes, atMs } = quarter;
    console.log(`${jobs} jobs drawn after ${Math.round(atMs / 1_000)} s, ${Math.round(bytes / 1e6)} MB`);
  }
}

/** Reads the books as customers: counts wrongly charged jobs, and sums differences of balances. */
async function readAsCustomers(customers: readonly Customer[]) {
  let [jobs, wrong, off, ended] = [0, 0, 0, 0];
  await mapAtOnce(OTHERS_AT_ONCE, customers, async ({ secret }) => {
    const books = await readBooks(send, secret);
    jobs += books.jobs.length;
    ended += books.jobs.filter(({ status }) => status === "succeeded").length;
    wrong += misbooked(books).length;
    off += imbalance(books) + Math.abs(books.credits - (creditsGiven() - books.jobs.length));
  });
  return { jobs, ended, wrong, off };
}

const sumOver = (books: readonly DatabaseBooks[], of: (one: DatabaseBooks) => number): number =>
  books.reduce((sum, one) => sum + of(one), 0);

it(
  "a large load on four databases drains and is charged exactly",
  async ({ task }) => {
    const { drainJobs, drainWorkspaces } = stressScale();
    const customers = await openCustomers();
    const sweeps = keepSweeping();
    const load = await drain(customers, drainJobs);
    await sweeps.stop();
    if (load.open > 0) {
      // Open jobs cannot be checked; the table shows how many there are.
      const drawn = load.jobIds.length - load.open;
      reportStress(task, { counts: { "jobs drained": drawn }, planned: { "jobs drained": drainJobs } });
      return;
    }
    // With nothing left to do, a sweep changes nothing.
    await service.sweep();
    printCurve(load);
    const growth = growthOf(load);
    if (growth !== null)
      console.log(`${Math.round(growth)} bytes more for each 1,000 jobs of the second half`);

    const books = await Promise.all(service.databases.map(readDatabase));
    const seen = await readAsCustomers(customers);
    const stored = await listObjects(service.bucket, "workspaces/");
    const posted = load.jobIds.length;
    const kept = new Set(books.flatMap(({ jobIds }) => jobIds));
    const missing = load.jobIds.filter((jobId) => !kept.has(jobId)).length;
    const objectKeys = books.flatMap((one) => one.objectKeys);
    const unstored = 2 * posted - objectKeys.filter((key) => stored.has(key)).length;
    const wrongLengths = objectKeys.filter(
      (key) => !key.endsWith("/manifest.json") && stored.get(key) !== 1,
    ).length;
    const packObjects = [...stored.keys()].filter((key) => key.includes("/artifacts/")).length;
    const leftovers = sumOver(books, (one) => one.leftovers);
    const wronglyCharged = sumOver(books, (one) => one.wronglyCharged) + seen.wrong;
    const unbalanced = sumOver(books, (one) => one.unbalanced) + seen.off;
    const { handed, failures, backlog } = await service.messages();
    const dead = Object.entries(handed).reduce(
      (sum, [queue, n]) => sum + (queue.endsWith("-dead") ? n : 0),
      0,
    );
    reportStress(task, {
      counts: { "jobs drained": posted, "workspaces drained": drainWorkspaces },
      planned: { "jobs drained": drainJobs },
      lost: missing + unstored + wrongLengths + unbalanced + load.refused + dead,
      duplicated: wronglyCharged + (kept.size - posted) + (packObjects - objectKeys.length),
      hung: load.open + leftovers + backlog,
    });
    expect(failures).toEqual([]);
    expect({ refused: load.refused, open: load.open, missing, leftovers, dead, backlog }).toEqual({
      refused: 0,
      open: 0,
      missing: 0,
      leftovers: 0,
      dead: 0,
      backlog: 0,
    });
    expect(books.map(({ statuses }) => statuses)).toEqual(
      books.map(({ jobIds }) => ({ succeeded: jobIds.length })),
    );
    expect({ jobs: kept.size, seen: seen.jobs, ended: seen.ended }).toEqual({
      jobs: posted,
      seen: posted,
      ended: posted,
    });
    expect({ unstored, wrongLengths, packObjects }).toEqual({
      unstored: 0,
      wrongLengths: 0,
      packObjects: 2 * posted,
    });
    expect({ wronglyCharged, unbalanced }).toEqual({ wronglyCharged: 0, unbalanced: 0 });
    const granted = drainWorkspaces * creditsGiven();
    expect([sumOver(books, (one) => one.credits), sumOver(books, (one) => one.ledgerSum)]).toEqual([
      granted - posted,
      granted - posted,
    ]);
    if (posted >= JOBS_FOR_MEMORY_MIN) expect(growth).toBeLessThanOrEqual(GROWTH_BYTES_MAX);
    if (stressScale().endsAtMs === null) expect(posted).toBe(drainJobs);
  },
  (stressScale().endsAtMs ?? Date.now() + stressScale().partMsMax) - Date.now(),
);
