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

async function planPairs(
  origin: string,
  secret: string,
  least: { readonly origin: string; readonly workspaceId: string },
): Promise<readonly Pair[]> {
  const client = createClient(origin, secret);
  const logo = await uploadAsset(client, {
    ...{ slotId: "logo", mimeType: "image/svg+xml", bytes: await readLogo(), size: null },
  });
  const request = { contractId: "display.v1", selectedSizeIds: ["iab-320x50"], assetIds: { logo } };
  const job = await client.post<JobBody>("/api/v1/jobs", request);
  const body = JSON.stringify(request);
  const json = { "Content-Type": "application/json" };
  const read = loadOf(`${least.origin}/read/${least.workspaceId}`, {});
  return [
    { name: "GET /balance", ours: loadOf(`${origin}/api/v1/balance`, client.headers), least: read },
    {
      name: "GET /jobs/{id}",
      ours: loadOf(`${origin}/api/v1/jobs/${job.jobId}`, client.headers),
      least: read,
    },
    {
      name: "POST /jobs",
      ours: {
        ...loadOf(`${origin}/api/v1/jobs`, { ...client.headers, ...json }),
        ...{ method: "POST", body, status: 202 },
      },
      least: {
        ...loadOf(`${least.origin}/batch/${least.workspaceId}`, json),
        ...{ method: "POST", body, status: 202 },
      },
    },
  ];
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
      const pairs = await planPairs(service.worker.origin, secret, {
        ...{ origin: least.worker.origin, workspaceId: least.workspaceId },
      });
      const rows: Row[] = [];
      const aims: Aim[] = [];
      for (const pair of pairs) {
        progress(`${pair.name}, ${ROUNDS} rounds of ${ROUND_MS} ms each`);
        const ours: Rate[] = [];
        const others: Rate[] = [];
        for (let round = -1; round < ROUNDS; round += 1) {
          const mine = await measureLoad(load, service.worker.pid, pair.ours);
          const other = await measureLoad(load, least.worker.pid, pair.least);
          if (round < 0) continue;
          ours.push(mine);
          others.push(other);
        }
        const [mine, other] = [medianRate(ours), medianRate(others)];
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
      return {
        rows,
        aims,
        absences: [],
        notes: [
          `${CONNECTIONS} connections. The least worker knows no key, no limit, no log and no schema.`,
          "CPU is of the whole process, simulators of D1 and the objects included. Nothing is drawn meanwhile.",
        ],
      };
    } finally {
      load.stop();
      await Promise.all([service.stop(), least.worker.stop()]);
    }
  },
};
