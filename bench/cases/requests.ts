import { createWorkspace } from "#domains/workspaces/create-workspace.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { atLeast, type BenchCase, type Row, type Target } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { median } from "../clock/statistics.ts";
import type { LoadAnswer, LoadTask } from "../competitors/load-client.ts";
import { startProcess, type TaskProcess } from "../competitors/task-process.ts";
import { bundleWorker } from "../workerd/bundle.ts";
import { openClient } from "../workerd/open-client.ts";
import { migrate, startService } from "../workerd/service.ts";
import { uploadAsset } from "../workerd/upload.ts";
import { startWorkerd } from "../workerd/workerd.ts";
import { readLogo } from "./design.ts";

const CREDITS = 1_000_000_000;
const CONNECTIONS = 8;
const ROUNDS = 7;
const ROUND_MS = 1_000;
const SHARE_MIN = 0.7;

/** What is asked of the service, and of the smallest worker that does the same with the database. */
interface Pair {
  readonly name: string;
  readonly ours: LoadTask;
  readonly baseline: LoadTask;
}

/** What the smallest worker costs when it does one thing more that the service must do. */
interface Step {
  readonly name: string;
  readonly task: LoadTask;
  readonly beside: LoadTask;
}

interface Plan {
  readonly pairs: readonly Pair[];
  readonly steps: readonly Step[];
}

interface Rate {
  readonly perSecond: number;
  readonly cpuMs: number;
}

async function measureLoad(client: TaskProcess, pid: number, task: LoadTask): Promise<Rate> {
  const cpuBefore = cpuMsOf(pid);
  const { requests, seconds } = await client.ask<LoadAnswer>(task);
  return { perSecond: requests / seconds, cpuMs: (cpuMsOf(pid) - cpuBefore) / requests };
}

const medianRate = (rates: readonly Rate[]): Rate => ({
  perSecond: median(rates.map(({ perSecond }) => perSecond)),
  cpuMs: median(rates.map(({ cpuMs }) => cpuMs)),
});

const loadOf = (url: string, headers: Readonly<Record<string, string>>): LoadTask => ({
  url,
  method: "GET",
  headers,
  body: null,
  status: 200,
  connections: CONNECTIONS,
  ms: ROUND_MS,
});

async function startBaseline() {
  const configPath = inRoot("bench/workers/hono.toml");
  const worker = await startWorkerd(await bundleWorker(configPath), configPath);
  const { DB: db } = await worker.bindings<{ DB: D1Database }>();
  await migrate(db);
  const plan = { name: "Bench", credits: CREDITS, subscription: null, hasUnlimitedAccess: false };
  const { workspaceId } = await createWorkspace({ db, keyPepper: "of no use" }, plan, Date.now());
  return { worker, workspaceId };
}

async function planLoads(
  origin: string,
  secret: string,
  baseline: { readonly origin: string; readonly workspaceId: string },
): Promise<Plan> {
  const client = openClient(origin, secret);
  const logo = await uploadAsset(client, "logo", await readLogo());
  const request = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: { logo } };
  const job = await client.jobs.create(request);
  const key = { Authorization: `Bearer ${secret}` };
  const json = { "Content-Type": "application/json" };
  const post = { method: "POST", body: JSON.stringify(request), status: 202 } as const;
  const readOf = (path: string) => loadOf(`${baseline.origin}/${path}/${baseline.workspaceId}`, {});
  const postOf = (path: string): LoadTask => ({
    ...loadOf(`${baseline.origin}/${path}/${baseline.workspaceId}`, json),
    ...post,
  });
  const [read, batch] = [readOf("read"), postOf("batch")];
  const ours = (path: string) => loadOf(`${origin}/api/v1/${path}`, key);
  return {
    pairs: [
      { name: "GET /balance", ours: ours("balance"), baseline: read },
      { name: "GET /jobs/{id}", ours: ours(`jobs/${job.jobId}`), baseline: read },
      {
        name: "POST /jobs",
        ours: { ...ours("jobs"), headers: { ...key, ...json }, ...post },
        baseline: batch,
      },
    ],
    steps: [
      { name: "baseline: a read, an object beside it", task: readOf("read-and-count"), beside: read },
      { name: "baseline: an object, then the batch", task: postOf("batch-and-count"), beside: batch },
      { name: "baseline: … and a message sent", task: postOf("batch-count-and-send"), beside: batch },
    ],
  };
}

export const requestsCase: BenchCase = {
  id: "requests",
  title: "Requests a second, beside the smallest Hono worker with one round trip to D1",
  run: async ({ progress }) => {
    const service = await startService({ isDrawing: false });
    const baseline = await startBaseline();
    const load = startProcess(inRoot("bench/competitors/load-client.ts"));
    try {
      const { secret } = await service.openWorkspace(CREDITS);
      const { pairs, steps } = await planLoads(service.worker.origin, secret, {
        origin: baseline.worker.origin,
        workspaceId: baseline.workspaceId,
      });
      const tasks = [
        ...new Set([
          ...pairs.flatMap(({ ours, baseline }) => [ours, baseline]),
          ...steps.map(({ task }) => task),
        ]),
      ];
      const pidOf = ({ url }: LoadTask) =>
        url.startsWith(baseline.worker.origin) ? baseline.worker.pid : service.worker.pid;
      const measured = new Map<LoadTask, Rate[]>(tasks.map((task) => [task, []]));
      progress(`${tasks.length} loads in turn, ${ROUNDS} rounds of ${ROUND_MS} ms each`);
      for (let round = -1; round < ROUNDS; round += 1) {
        for (const task of tasks) {
          const rate = await measureLoad(load, pidOf(task), task);
          if (round >= 0) measured.get(task)?.push(rate);
        }
      }
      const rateOf = (task: LoadTask) => medianRate(measured.get(task) ?? []);
      const rows: Row[] = [];
      const targets: Target[] = [];
      for (const pair of pairs) {
        const [mine, other] = [rateOf(pair.ours), rateOf(pair.baseline)];
        const share = mine.perSecond / other.perSecond;
        rows.push({
          label: pair.name,
          figures: {
            "ours / s": mine.perSecond,
            "baseline / s": other.perSecond,
            "of the baseline": share,
            "ours CPU ms": mine.cpuMs,
            "baseline CPU ms": other.cpuMs,
          },
        });
        targets.push(atLeast(`${pair.name}, of the rate of the baseline worker`, share, SHARE_MIN));
      }
      for (const { name, task, beside } of steps) {
        const rate = rateOf(task);
        rows.push({
          label: name,
          figures: {
            "ours / s": null,
            "baseline / s": rate.perSecond,
            "of the baseline": rate.perSecond / rateOf(beside).perSecond,
            "ours CPU ms": null,
            "baseline CPU ms": rate.cpuMs,
          },
        });
      }
      return {
        rows,
        targets,
        absences: [],
        notes: [
          `${CONNECTIONS} connections. The baseline worker knows no key, no limit, no log and no schema; the rows that begin with it say what it has left when it does one thing more.`,
          "CPU is of the whole process, simulators of D1 and the objects included. Nothing is drawn meanwhile.",
        ],
      };
    } finally {
      load.stop();
      await Promise.all([service.stop(), baseline.worker.stop()]);
    }
  },
};
