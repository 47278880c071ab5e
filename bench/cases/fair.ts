import { atLeast, atMost, type BenchCase } from "../bench-case.ts";
import { median, percentile } from "../clock/statistics.ts";
import { type ThreadWatch, watchThread } from "../clock/thread-watch.ts";
import { type CountingService, startCountingService } from "../workerd/counting-service.ts";
import { type Customer, createJob, openCustomer } from "../workerd/customer.ts";
import { until } from "../workerd/service.ts";

/** For a shorter look while something is changed: FAIR_JOBS=1000. */
const LARGE_JOBS = Number(process.env.FAIR_JOBS ?? 10_000);
/**
 * The local queue hands out one message at a time, and the queue holds twice as many as there are consumers, as the 160 of
 * the 80 that are deployed.
 */
const VARIABLES = { RENDER_MESSAGES_QUEUED: "2" };
const SMALL_ALONE = 25;
/** In turns, without and with a job of the small workspace in each; more than half of the jobs may be drawn before. */
const JOBS_IN_WINDOW = 50;
const WINDOWS = Math.max(2, Math.min(20, Math.floor(LARGE_JOBS / (5 * JOBS_IN_WINDOW))));
const REQUESTS_AT_ONCE = 50;
const SIZE_IDS = ["iab-320x50"];
const POLL_MS = 2;
/** What the small one's job may wait for: two messages that are before it in the queue. */
const TURNS = 2;
const WAIT_RATIO_MAX = 1.25;
const THROUGHPUT_MIN = 0.9;

/** How long a job took, in ms; and how many of others were drawn from its request to its own drawing. */
interface Waited {
  readonly ms: number;
  readonly messages: number;
}

/** What the thread was kept from by other work of the machine is not counted. */
const withoutOthers = (thread: ThreadWatch, fromMs: number, toMs: number): number =>
  toMs - fromMs - thread.between(fromMs, toMs).waitMs;

/** Asks for a job and waits for its end, from the request to the row of its end. */
async function drawOne(service: CountingService, thread: ThreadWatch, customer: Customer): Promise<Waited> {
  const drawnBefore = service.drawn.length;
  const startMs = Date.now();
  const jobId = await createJob(service, customer, SIZE_IDS);
  const place = await until(
    async () => {
      const found = service.drawn.indexOf(jobId, drawnBefore);
      return found === -1 ? null : found;
    },
    "a job",
    POLL_MS,
  );
  const ended = service.db.prepare("SELECT finished_at AS atMs FROM jobs WHERE job_id = ?1").bind(jobId);
  const endMs = await until(
    async () => (await ended.first<{ readonly atMs: number | null }>())?.atMs ?? null,
    "a job",
    POLL_MS,
  );
  return { ms: withoutOthers(thread, startMs, endMs), messages: place - drawnBefore };
}

/** Asks for all jobs of the large workspace. They are drawn meanwhile. */
async function createMany(service: CountingService, customer: Customer, jobs: number): Promise<void> {
  let asked = 0;
  const ask = async () => {
    while (asked < jobs) {
      asked += 1;
      await createJob(service, customer, SIZE_IDS);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, ask));
}

/** How long the next jobs take that are drawn, in ms. */
async function drawWindow(service: CountingService, thread: ThreadWatch, jobs: number): Promise<number> {
  const startMs = Date.now();
  const wanted = service.drawn.length + jobs;
  await until(async () => (service.drawn.length >= wanted ? true : null), "a window", POLL_MS);
  return withoutOthers(thread, startMs, Date.now());
}

export const fairCase: BenchCase = {
  id: "fair",
  title: `A workspace with one job beside another with ${LARGE_JOBS.toLocaleString("en")}`,
  run: async ({ progress }) => {
    const service = await startCountingService(0, VARIABLES);
    const thread = watchThread(service.worker.pid);
    try {
      const [large, small] = [await openCustomer(service), await openCustomer(service)];
      progress(`${SMALL_ALONE} jobs, one by one`);
      for (const customer of [large, small]) await drawOne(service, thread, customer);
      const alone: Waited[] = [];
      for (let count = 0; count < SMALL_ALONE; count += 1) {
        alone.push(await drawOne(service, thread, small));
      }
      progress(`${LARGE_JOBS} jobs of the large workspace`);
      await createMany(service, large, LARGE_JOBS + SMALL_ALONE);
      const windows = { alone: [] as number[], beside: [] as number[] };
      const beside: Waited[] = [];
      for (let window = 0; window < WINDOWS; window += 1) {
        progress(`window ${window + 1} of ${WINDOWS}`);
        windows.alone.push(JOBS_IN_WINDOW / (await drawWindow(service, thread, JOBS_IN_WINDOW)));
        const [ms, waited] = await Promise.all([
          // One more is drawn than the large workspace's.
          drawWindow(service, thread, JOBS_IN_WINDOW + 1),
          drawOne(service, thread, small),
        ]);
        windows.beside.push(JOBS_IN_WINDOW / ms);
        beside.push(waited);
      }
      const msOf = (waits: readonly Waited[]) => waits.map(({ ms }) => ms);
      const messagesOf = (waits: readonly Waited[]) => waits.map(({ messages }) => messages);
      const row = (label: string, waits: readonly Waited[]) => ({
        label,
        figures: {
          "median ms": median(msOf(waits)),
          "p95 ms": percentile(msOf(waits), 0.95),
          "drawn before it, at most": Math.max(...messagesOf(waits)),
          "jobs a second": null,
        },
      });
      const rate = (label: string, rates: readonly number[]) => ({
        label,
        figures: {
          "median ms": null,
          "p95 ms": null,
          "drawn before it, at most": null,
          "jobs a second": 1_000 * median(rates),
        },
      });
      const twoTurnsMs = TURNS / median(windows.alone);
      const waitRatio = median(msOf(beside)) / (median(msOf(alone)) + twoTurnsMs);
      const throughput = median(windows.beside) / median(windows.alone);
      return {
        rows: [
          row("the small one's job, alone", alone),
          row("the small one's job, beside the large one", beside),
          rate("the large one, alone", windows.alone),
          rate("the large one, beside the small one", windows.beside),
        ],
        targets: [
          atMost(
            "the small one's time beside the large one, of its time alone and two turns of the queue",
            waitRatio,
            WAIT_RATIO_MAX,
          ),
          atLeast("the large one's throughput beside the small one, of alone", throughput, THROUGHPUT_MIN),
        ],
        absences: [],
        notes: [
          `On one database, with a stand-in for drawing that writes one byte, and one message at a time. Windows of ${JOBS_IN_WINDOW} jobs in turns, without and with a job of the small workspace. Time that other work of the machine took from the service's thread is left out. Behind all of the large one's jobs it would wait ${Math.round(LARGE_JOBS / median(windows.alone) / 1_000)} s.`,
        ],
      };
    } finally {
      thread.stop();
      await service.stop();
    }
  },
};
