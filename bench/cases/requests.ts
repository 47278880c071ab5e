import { randomBytes } from "node:crypto";
import { hashImage } from "#domains/images/image-link.ts";
import { keyOfSecret } from "#domains/images/image-secrets.ts";
import { imageObjectKey } from "#domains/images/stored-image.ts";
import { createWorkspace } from "#domains/workspaces/create-workspace.ts";
import { migrateEmpty } from "../../scripts/local/migrate.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { signImageUrl } from "../../sdk/src/index.ts";
import { atLeast, type BenchCase, type Row, type Target } from "../bench-case.ts";
import { cpuMsOf } from "../clock/process-figures.ts";
import { median } from "../clock/statistics.ts";
import type { LoadAnswer, LoadTask } from "../competitors/load-client.ts";
import { startProcess, type TaskProcess } from "../competitors/task-process.ts";
import { readLogo } from "../pictures/logo.ts";
import { bundleWorker } from "../workerd/bundle.ts";
import { openClient, uploadAsset } from "../workerd/client.ts";
import { type Service, startService, type Workspace } from "../workerd/service.ts";
import { startWorkerd } from "../workerd/workerd.ts";

const CREDITS = 1_000_000_000;
const CONNECTIONS = 8;
const ROUNDS = 7;
const ROUND_MS = 1_000;
const SHARE_MIN = 0.9;
/** Size of a typical banner as PNG. */
const IMAGE_BYTES = 40_000;

/** A request to the service, and one to the baseline worker that makes the same platform calls. */
interface Pair {
  readonly name: string;
  readonly ours: LoadTask;
  readonly baseline: LoadTask;
}

/** A request to the baseline worker that makes one database call and nothing else. */
interface Alone {
  readonly name: string;
  readonly baseline: LoadTask;
}

interface Plan {
  readonly pairs: readonly Pair[];
  readonly alone: readonly Alone[];
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

const rowOf = (label: string, ours: Rate | null, baseline: Rate): Row => ({
  label,
  figures: {
    "ours / s": ours?.perSecond ?? null,
    "baseline / s": baseline.perSecond,
    "of the baseline": ours === null ? null : ours.perSecond / baseline.perSecond,
    "ours CPU ms": ours?.cpuMs ?? null,
    "baseline CPU ms": baseline.cpuMs,
  },
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
  const { DB: db, BUCKET } = await worker.bindings<{ DB: D1Database; BUCKET: R2Bucket }>();
  await BUCKET.put("image", randomBytes(IMAGE_BYTES));
  await migrateEmpty(db);
  const plan = { name: "Bench", credits: CREDITS, subscription: null, hasUnlimitedAccess: false };
  const { workspaceId } = await createWorkspace({ db, keyPepper: "of no use" }, plan, Date.now());
  return { worker, workspaceId };
}

/** A signed URL whose image is already stored. */
async function storedImage(
  { worker: { origin, bindings } }: Service,
  { workspaceId, secret: apiKey }: Workspace,
): Promise<string> {
  const { secret } = await openClient(origin, apiKey).images.createSecret({ name: "Bench" });
  const parameters = { headline: "Two wheels, no excuses", cta: "Ride one today", logo: workspaceId };
  const url = await signImageUrl({ baseUrl: origin, secret, sizeId: "iab-320x50", parameters });
  const imageHash = await hashImage(workspaceId, {
    file: "iab-320x50.png",
    query: { ...parameters, key: keyOfSecret(secret) },
  });
  const { BUCKET } = await bindings<{ BUCKET: R2Bucket }>();
  await BUCKET.put(imageObjectKey({ workspaceId, imageHash }), randomBytes(IMAGE_BYTES));
  return url;
}

async function planLoads(
  origin: string,
  secret: string,
  image: string,
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
  const read = readOf("read-and-count");
  const ours = (path: string) => loadOf(`${origin}/api/v1/${path}`, key);
  return {
    pairs: [
      { name: "GET /balance", ours: ours("balance"), baseline: read },
      { name: "GET /jobs/{id}", ours: ours(`jobs/${job.jobId}`), baseline: read },
      {
        name: "POST /jobs",
        ours: { ...ours("jobs"), headers: { ...key, ...json }, ...post },
        baseline: postOf("batch-count-and-send"),
      },
      {
        name: "cached GET /i/…",
        ours: loadOf(image, {}),
        baseline: loadOf(`${baseline.origin}/object/image`, {}),
      },
    ],
    alone: [
      { name: "baseline: a read", baseline: readOf("read") },
      { name: "baseline: a batch", baseline: postOf("batch") },
    ],
  };
}

export const requestsCase: BenchCase = {
  id: "requests",
  title: "Requests per second, compared with the smallest Hono worker that makes the same calls",
  run: async ({ progress }) => {
    const service = await startService({
      isDrawing: false,
      variables: { DELIVERY_ENCRYPTION_KEY: randomBytes(32).toString("base64") },
    });
    const baseline = await startBaseline();
    const load = startProcess(inRoot("bench/competitors/load-client.ts"));
    try {
      const workspace = await service.openWorkspace(CREDITS);
      const image = await storedImage(service, workspace);
      const { pairs, alone } = await planLoads(service.worker.origin, workspace.secret, image, {
        origin: baseline.worker.origin,
        workspaceId: baseline.workspaceId,
      });
      // The balance and the job share one baseline, which is measured once.
      const tasks = [
        ...new Set([
          ...pairs.flatMap(({ ours, baseline }) => [ours, baseline]),
          ...alone.map(({ baseline }) => baseline),
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
      const targets: Target[] = [];
      const rows: Row[] = pairs.map(({ name, ours, baseline }) => {
        const [mine, other] = [rateOf(ours), rateOf(baseline)];
        const share = mine.perSecond / other.perSecond;
        targets.push(atLeast(`${name}, of the rate of the baseline worker`, share, SHARE_MIN));
        return rowOf(name, mine, other);
      });
      rows.push(...alone.map(({ name, baseline }) => rowOf(name, null, rateOf(baseline))));
      return {
        rows,
        targets,
        absences: [],
        notes: [
          `${CONNECTIONS} connections. The baseline makes the same calls: a database read and a Durable Object call in parallel; for POST /jobs a Durable Object call, then the batch, then a message; for a cached image a read from R2. It has no keys, no log and no schemas. The rows that begin with \`baseline\` are a single database call.`,
          "CPU is that of the whole process, including the simulators of D1 and the Durable Objects. Nothing is rendered meanwhile.",
        ],
      };
    } finally {
      load.stop();
      await Promise.all([service.stop(), baseline.worker.stop()]);
    }
  },
};
