import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { Failure } from "../../scripts/local/failure.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { makeDocsAssets } from "../../scripts/make-docs.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { type Bundle, bundleWorker } from "./bundle.ts";
import { type RunningWorker, startWorkerd } from "./workerd.ts";

/** The whole service over empty storage, with its windows so wide that nothing measured meets a rate. */
export interface Service {
  readonly worker: RunningWorker;
  readonly db: D1Database;
  /** Makes a workspace with so many credits. */
  readonly openWorkspace: (credits: number) => Promise<Workspace>;
  readonly stop: () => Promise<void>;
}

export interface Workspace {
  readonly workspaceId: string;
  readonly secret: string;
}

const FAMILIES = ["READ", "WRITE", "UPLOAD_BYTES", "JOBS", "DOWNLOADS", "KEYS"];
const UNLIMITED = "100000000";
const VARIABLES = {
  ...Object.fromEntries(FAMILIES.map((family) => [`RATE_LIMIT_${family}`, UNLIMITED])),
  PREVIEW_DAILY: UNLIMITED,
  PREVIEW_BURST: UNLIMITED,
};
const CONFIG_PATH = inRoot("wrangler.toml");

let bundled: Promise<Bundle> | null = null;

/** The worker as it would be deployed; built once in a run. */
export function serviceBundle(): Promise<Bundle> {
  bundled ??= makeDocsAssets().then(() => bundleWorker(CONFIG_PATH));
  return bundled;
}

/** Brings an empty database to the newest schema. */
export async function migrate(db: D1Database): Promise<void> {
  const { unstable_splitSqlQuery: splitStatements } = await import("wrangler");
  const folder = inRoot("migrations");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  for (const file of files) {
    const statements = splitStatements(await readFile(`${folder}/${file}`, "utf8"));
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}

export interface ServiceOptions {
  /** False leaves what is sent to the queue where it is, so that nothing is drawn while requests are counted. */
  readonly isDrawing: boolean;
}

export async function startService({ isDrawing }: ServiceOptions = { isDrawing: true }): Promise<Service> {
  const bundle = await serviceBundle();
  const keyPepper = randomBytes(32).toString("hex");
  const variables = {
    ...VARIABLES,
    KEY_PEPPER: keyPepper,
    DOWNLOAD_SIGNING_KEY: randomBytes(32).toString("hex"),
    TRIAL_SECRET: randomBytes(32).toString("hex"),
  };
  const worker = await startWorkerd(bundle, CONFIG_PATH, { variables, hasConsumers: isDrawing });
  const { DB: db } = await worker.bindings<{ DB: D1Database }>();
  await migrate(db);
  return {
    worker,
    db,
    openWorkspace: async (credits) => {
      const plan = { name: `Bench ${randomUUID()}`, credits, subscription: null, hasUnlimitedAccess: false };
      const { workspaceId, secret } = await createWorkspace({ db, keyPepper }, plan, Date.now());
      return { workspaceId, secret };
    },
    stop: worker.stop,
  };
}

/** Waits until `probe` gives something else than null, asking again after each `pauseMs`. */
export async function until<T>(probe: () => Promise<T | null>, what: string, pauseMs = 20): Promise<T> {
  const deadlineMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const found = await probe();
    if (found !== null) return found;
    if (performance.now() > deadlineMs) throw new Failure(`${what} did not come to an end.`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Beyond this something hangs. */
const WAIT_MS_MAX = 300_000;
