import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WINDOW_NAMES, windowVariable } from "#api/limits.ts";
import { createWorkspace } from "#domains/workspaces/create-workspace.ts";
import { Failure } from "../../scripts/local/failure.ts";
import { migrateEmpty } from "../../scripts/local/migrate.ts";
import { startLocalWorker } from "../../scripts/local/worker.ts";
import { makeAssets } from "../../scripts/make-assets.ts";
import { readKeySecrets } from "../../scripts/operator/key-secrets.ts";
import { openDatabase } from "../../scripts/operator/open-database.ts";
import { descendantsOf, programOf, residentBytesOf } from "../clock/process-figures.ts";

/** What `npm run dev` runs, wrangler and its proxy included, over state of its own. */
export interface DevService {
  readonly origin: string;
  /** A key with every scope, of a workspace with the credits that were asked for. */
  readonly secret: string;
  /** The workerd that runs the worker and the simulators behind its bindings. */
  readonly workerPid: number;
  /** wrangler's own processes: Node.js, and the workerd of its proxy. */
  readonly otherPids: readonly number[];
  readonly stop: () => Promise<void>;
}

const UNLIMITED = "100000000";

export async function startDevService(credits: number): Promise<DevService> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-plateau-"));
  const stateFolder = join(folder, "state");
  await makeAssets();
  const target = { configPath: "wrangler.toml", stateFolder, isRemote: false, envFile: null };
  const keySecrets = await readKeySecrets(target);
  const database = await openDatabase(target);
  const plan = { name: "Bench", credits, subscription: null, hasUnlimitedAccess: false };
  const { secret } = await migrateEmpty(database.db)
    .then(() => createWorkspace({ db: database.db, ...keySecrets }, plan, Date.now()))
    .finally(database.close);
  const before = new Set(descendantsOf(process.pid));
  const worker = await startLocalWorker({
    stateFolder,
    logPath: join(folder, "worker.log"),
    port: 0,
    vars: Object.fromEntries(WINDOW_NAMES.map((name) => [windowVariable(name), UNLIMITED])),
  });
  const stop = async () => {
    await worker.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const started = descendantsOf(process.pid).filter((pid) => !before.has(pid));
  // The proxy's workerd has no simulators and no code to speak of.
  const [workerPid] = started
    .filter((pid) => programOf(pid) === "workerd")
    .sort((one, other) => residentBytesOf(other) - residentBytesOf(one));
  if (workerPid === undefined) {
    await stop();
    throw new Failure("wrangler has started no workerd.");
  }
  const otherPids = started.filter(
    (pid) => pid !== workerPid && ["node", "MainThread", "workerd"].includes(programOf(pid)),
  );
  return { origin: worker.origin, secret, workerPid, otherPids, stop };
}
