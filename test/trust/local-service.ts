import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateEmpty } from "../../scripts/local/migrate.ts";
import { ensureLocalSecrets } from "../../scripts/local/secrets.ts";
import { type LocalWorker, startLocalWorker } from "../../scripts/local/worker.ts";
import { makeAssets } from "../../scripts/make-assets.ts";
import { readKeyPepper } from "../../scripts/operator/key-pepper.ts";
import { openDatabase } from "../../scripts/operator/open-database.ts";
import { WINDOW_NAMES, windowVariable } from "../../src/api/limits.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { faultsIn } from "../logs/secrets-in-text.ts";

/** So many that a load test meets the rules it is about and not the rate limit. */
const WIDE_WINDOWS = Object.fromEntries(WINDOW_NAMES.map((name) => [windowVariable(name), "1000000"]));

export interface LocalWorkspace {
  readonly workspaceId: string;
  readonly secret: string;
}

/** What `npm run dev` runs, over state of its own that outlives the process. */
export interface LocalService {
  readonly worker: () => LocalWorker;
  /** One for each grant that was asked for. */
  readonly workspaces: readonly LocalWorkspace[];
  /** Kills the process and starts another over the same state. */
  readonly killAndRestart: () => Promise<void>;
  /** Runs the clock's work once. */
  readonly sweep: () => Promise<void>;
  /** Ends the process, changes the database while nothing else has it open, and starts another. */
  readonly betweenRuns: (change: (db: D1Database) => Promise<unknown>) => Promise<void>;
  /** What all its processes have logged so far: how many lines, and those that tell what no log may. */
  readonly readLogs: () => Promise<{ readonly lines: number; readonly tellTale: readonly string[] }>;
  readonly stop: () => Promise<void>;
}

/** Starts it with a workspace for each of these grants of credits, and with these variables. */
export async function startLocalService(
  grants: readonly number[],
  vars: Readonly<Record<string, string>> = {},
): Promise<LocalService> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-trust-"));
  const stateFolder = join(folder, "state");
  await ensureLocalSecrets();
  await makeAssets();
  const target = { configPath: "wrangler.toml", stateFolder, isRemote: false, envFile: null };
  const changeDatabase = async <T>(change: (db: D1Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase(target);
    try {
      return await change(database.db);
    } finally {
      await database.close();
    }
  };
  const keyPepper = await readKeyPepper(target);
  const workspaces = await changeDatabase(async (db) => {
    await migrateEmpty(db);
    return Promise.all(
      grants.map((credits) =>
        createWorkspace(
          { db, keyPepper },
          { name: "Trust", credits, subscription: null, hasUnlimitedAccess: false },
          Date.now(),
        ),
      ),
    );
  });
  const logPathOf = (run: number): string => join(folder, `worker-${run}.log`);
  const start = (run: number) =>
    startLocalWorker({
      stateFolder,
      logPath: logPathOf(run),
      port: 0,
      vars: { ...WIDE_WINDOWS, ...vars },
    });
  let runs = 0;
  let worker = await start(runs);
  const startAgain = async () => {
    runs += 1;
    worker = await start(runs);
  };
  const readLogs = async () => {
    const known = workspaces.map(({ secret }) => secret);
    const logs = Array.from({ length: runs + 1 }, (_, run) => readFile(logPathOf(run), "utf8"));
    // A killed process may leave half a line.
    const lines = (await Promise.all(logs)).flatMap((text) => text.split("\n").slice(0, -1));
    const isTellTale = (line: string) =>
      faultsIn(line).length > 0 || known.some((secret) => line.includes(secret));
    return { lines: lines.length, tellTale: lines.filter(isTellTale) };
  };
  return {
    readLogs,
    worker: () => worker,
    workspaces,
    killAndRestart: async () => {
      await worker.kill();
      await startAgain();
    },
    sweep: async () => {
      await (await fetch(`${worker.origin}/cdn-cgi/handler/scheduled`)).text();
    },
    betweenRuns: async (change) => {
      await worker.stop();
      await changeDatabase(change);
      await startAgain();
    },
    stop: async () => {
      await worker.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
