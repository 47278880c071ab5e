import type { JobBody } from "../../scripts/demo/answers.ts";
import { createClient } from "../../scripts/demo/client.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { type Aim, atLeast, type BenchCase, type Row } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { median } from "../clock/statistics.ts";
import { type AskedProcess, startProcess } from "../rivals/asked-process.ts";
import type { LoadAnswer, LoadTask } from "../rivals/load-client.ts";
import { bundleWorker } from "../workerd/bundle.ts";
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
  readonly least: LoadTask;
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

async function measureLoad(client: AskedProcess, pid: number, task: LoadTask): Promise<Rate> {
  const cpuBefore = cpuMsOf(pid);
  const { requests, seconds } = await client.ask<LoadAnswer>(task);
  return { perSecond: requests / seconds, cpuMs: (cpuMsOf(pid) - cpuBefore) / requests };
}

const medianRate = (rates: readonly Rate[]): Rate => ({
  perSecond: median(rates.map(({ perSecond }) => perSecond)),
  cpuMs: median(rates.map(({ cpuMs }) => cpuMs)),
});

const loadOf = (url: string, headers: Readonly<Record<string, string>>): LoadTask => ({
  ...{ url, method: "GET", headers, body: null, status: 200 },
  ...{ connections: CONNECTIONS, ms: ROUND_MS },
});

async function startLeast() {
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
  least: { readonly origin: string; readonly workspaceId: string },
): Promise<Plan> {
  const client = createClient(origin, secret);
  const logo = await uploadAsset(client, {
    ...{ slotId: "logo", mimeType: "image/svg+xml", bytes: await readLogo(), size: null },
  });
  const request = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: { logo } };
  const job = await client.post<JobBody>("/api/v1/jobs", request);
  const json = { "Content-Type": "application/json" };
  const post = { method: "POST", body: JSON.stringify(request), status: 202 } as const;
  const leastRead = (path: string) => loadOf(`${least.origin}/${path}/${least.workspaceId}`, {});
  const leastPost = (path: string): LoadTask => ({
    ...loadOf(`${least.origin}/${path}/${least.workspaceId}`, json),
    ...post,
  });
  const [read, batch] = [leastRead("read"), leastPost("batch")];
  const ours = (path: string) => loadOf(`${origin}/api/v1/${path}`, client.headers);
  return {
    pairs: [
      { name: "GET /balance", ours: ours("balance"), least: read },
      { name: "GET /jobs/{id}", ours: ours(`jobs/${job.jobId}`), least: read },
      {
        name: "POST /jobs",
        ours: { ...ours("jobs"), headers: { ...client.headers, ...json }, ...post },
        least: batch,
      },
    ],
    steps: [
      { name: "least: a read, an object beside it", task: leastRead("read-and-count"), beside: read },
      { name: "least: an object, then the batch", task: leastPost("batch-and-count"), beside: batch },
      { name: "least: … and a message sent", task: leastPost("batch-count-and-send"), beside: batch },
    ],
  };
}

export const requestsCase: BenchCase = {
  id: "requests",
  title: "Requests a second, beside the smallest Hono worker with one round trip to D1",
  run: async ({ progress }) => {
    const service = await startService({ isDrawing: false });
    const least = await startLeast();
    const load = startProcess(inRoot("bench/rivals/load-client.ts"));
    try {
      const { secret } = await service.openWorkspace(CREDITS);
      const { pairs, steps } = await planLoads(service.worker.origin, secret, {
        ...{ origin: least.worker.origin, workspaceId: least.workspaceId },
      });
      const tasks = [
        ...new Set([...pairs.flatMap(({ ours, least }) => [ours, least]), ...steps.map(({ task }) => task)]),
      ];
      const pidOf = ({ url }: LoadTask) =>
        url.startsWith(least.worker.origin) ? least.worker.pid : service.worker.pid;
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
      const aims: Aim[] = [];
      for (const pair of pairs) {
        const [mine, other] = [rateOf(pair.ours), rateOf(pair.least)];
        const share = mine.perSecond / other.perSecond;
        rows.push({
          label: pair.name,
          figures: {
            "ours / s": mine.perSecond,
            "least / s": other.perSecond,
            "of the least": share,
            "ours CPU ms": mine.cpuMs,
            "least CPU ms": other.cpuMs,
          },
        });
        aims.push(atLeast(`${pair.name}, of the rate of the least worker`, share, SHARE_MIN));
      }
      for (const { name, task, beside } of steps) {
        const rate = rateOf(task);
        rows.push({
          label: name,
          figures: {
            "ours / s": null,
            "least / s": rate.perSecond,
            "of the least": rate.perSecond / rateOf(beside).perSecond,
            "ours CPU ms": null,
            "least CPU ms": rate.cpuMs,
          },
        });
      }
      return {
        rows,
        aims,
        absences: [],
        notes: [
          `${CONNECTIONS} connections. The least worker knows no key, no limit, no log and no schema; the rows that begin with it say what it has left when it does one thing more.`,
          "CPU is of the whole process, simulators of D1 and the objects included. Nothing is drawn meanwhile.",
        ],
      };
    } finally {
      load.stop();
      await Promise.all([service.stop(), least.worker.stop()]);
    }
  },
};
