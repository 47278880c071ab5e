import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WINDOW_NAMES, windowVariable } from "#api/limits.ts";
import { createWorkspace } from "#domains/workspaces/create-workspace.ts";
import { type Databases, everyDatabase, type NamedDatabase } from "#platform/databases/databases.ts";
import { bindingOf, DIRECTORY, SHARD_NAMES } from "#platform/databases/shard-name.ts";
import { migrateEmpty } from "../../scripts/local/migrate.ts";
import { OperatedDatabase } from "../../scripts/local/operated-database.ts";
import { newToken } from "../../scripts/local/operated-service.ts";
import { OPERATOR_TOKEN } from "../../scripts/local/operation.ts";
import { ensureLocalSecrets } from "../../scripts/local/secrets.ts";
import { configWithShards } from "../../scripts/local/shards.ts";
import { type LocalWorker, startLocalWorker } from "../../scripts/local/worker.ts";
import { makeAssets } from "../../scripts/make/assets.ts";
import { readKeySecrets } from "../../scripts/operate/workspace/key-secrets.ts";
import { openDatabase } from "../../scripts/operate/workspace/open-database.ts";
import { faultsIn } from "../logs/secrets-in-text.ts";
import { stressScale } from "./scale.ts";

/** Rate limits so high that a load test does not reach them. */
const WIDE_WINDOWS = Object.fromEntries(WINDOW_NAMES.map((name) => [windowVariable(name), "1000000"]));

export interface LocalWorkspace {
  readonly workspaceId: string;
  readonly secret: string;
}

/** The service as `npm run dev` runs it, with its own state, which outlives the process. */
export interface LocalService {
  readonly worker: () => LocalWorker;
  /** One workspace for each requested grant. */
  readonly workspaces: readonly LocalWorkspace[];
  /** Kills the process and starts another on the same state. */
  readonly killAndRestart: () => Promise<void>;
  /** Runs the sweep once. */
  readonly sweep: () => Promise<void>;
  /** Stops the process, starts another, and changes each database before the first request. */
  readonly betweenRuns: (change: (db: D1Database) => Promise<unknown>) => Promise<void>;
  /** Direct access to the databases of the running process; null without shards. */
  readonly databases: Databases | null;
  /** The logs of all its processes: number of lines, and lines with secrets. */
  readonly readLogs: () => Promise<{ readonly lines: number; readonly leaks: readonly string[] }>;
  readonly stop: () => Promise<void>;
}

/** With shards, the worker is wrapped to give access to its databases, because a second process would lock them. */
const OPERATED_ENTRY = "test/stress/workers/with-database-access.ts";

const TOKEN = newToken();

function operatedDatabases(origin: () => string, shards: number): Databases {
  const service = () => ({ origin: origin(), token: TOKEN });
  const named = SHARD_NAMES.slice(0, shards);
  return {
    directory: new OperatedDatabase(service, DIRECTORY),
    shards: new Map(named.map((shard) => [shard, new OperatedDatabase(service, bindingOf(shard))])),
  };
}

/** The database for the workspace with this index. Shards take turns. */
function homeAt(databases: Databases, at: number): NamedDatabase {
  const [directory, ...shards] = everyDatabase(databases);
  const home = shards[at % Math.max(1, shards.length)] ?? directory;
  if (home === undefined) throw new Error("no database is bound");
  return home;
}

/**
 * Starts the service with one workspace per grant (in credits), with these variables and the run's number of shards.
 */
export async function startLocalService(
  grants: readonly number[],
  vars: Readonly<Record<string, string>> = {},
  shards = stressScale().shards,
): Promise<LocalService> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-stress-"));
  const stateFolder = join(folder, "state");
  await ensureLocalSecrets();
  await makeAssets();
  const configPath = await configWithShards(shards);
  const target = { configPath, stateFolder, isRemote: false, envFile: null };
  const keySecrets = await readKeySecrets(target);
  const logPathOf = (run: number): string => join(folder, `worker-${run}.log`);
  const start = (run: number) =>
    startLocalWorker({
      stateFolder,
      logPath: logPathOf(run),
      port: 0,
      configPath,
      ...(shards === 0 ? {} : { script: OPERATED_ENTRY }),
      vars: {
        ...WIDE_WINDOWS,
        ...vars,
        ...(shards === 0 ? {} : { [OPERATOR_TOKEN]: TOKEN }),
      },
    });
  let runs = 0;
  let started: LocalWorker | null = null;
  const worker = (): LocalWorker => {
    if (started === null) throw new Error("the service does not run yet");
    return started;
  };
  const startAgain = async () => {
    runs += 1;
    started = await start(runs);
  };
  const databases = shards === 0 ? null : operatedDatabases(() => worker().origin, shards);
  // Without shards, call this only while no process runs, because two processes would lock each other out.
  const change = async <T>(work: (databases: Databases) => Promise<T>): Promise<T> => {
    if (databases !== null) return work(databases);
    const opened = await openDatabase(target);
    try {
      return await work(opened.databases);
    } finally {
      await opened.close();
    }
  };
  if (databases !== null) started = await start(runs);
  const workspaces = await change(async (opened) => {
    const { directory } = opened;
    for (const { db } of everyDatabase(opened)) await migrateEmpty(db);
    return Promise.all(
      grants.map((credits, at) =>
        createWorkspace(
          { ...homeAt(opened, at), directory, ...keySecrets },
          { name: "Stress", credits, subscription: null, hasUnlimitedAccess: false },
          Date.now(),
        ),
      ),
    );
  });
  if (databases === null) started = await start(runs);
  const readLogs = async () => {
    const known = workspaces.map(({ secret }) => secret);
    const logs = Array.from({ length: runs + 1 }, (_, run) => readFile(logPathOf(run), "utf8"));
    // The last line may be incomplete if its process was killed.
    const lines = (await Promise.all(logs)).flatMap((text) => text.split("\n").slice(0, -1));
    const isLeak = (line: string) =>
      faultsIn(line).length > 0 || known.some((secret) => line.includes(secret));
    return { lines: lines.length, leaks: lines.filter(isLeak) };
  };
  return {
    readLogs,
    worker,
    workspaces,
    databases,
    killAndRestart: async () => {
      await worker().kill();
      await startAgain();
    },
    sweep: async () => {
      await (await fetch(`${worker().origin}/cdn-cgi/handler/scheduled`)).text();
    },
    betweenRuns: async (changeOne) => {
      await worker().stop();
      if (databases !== null) await startAgain();
      await change(async (opened) => {
        for (const { db } of everyDatabase(opened)) await changeOne(db);
      });
      if (databases === null) await startAgain();
    },
    stop: async () => {
      await worker().stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
