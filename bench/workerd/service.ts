import { randomBytes, randomUUID } from "node:crypto";
import { WINDOW_NAMES, windowVariable } from "#api/limits.ts";
import { createWorkspace } from "#domains/workspaces/create-workspace.ts";
import type { ShardBindings } from "#platform/databases/databases.ts";
import { bindingOf, DIRECTORY, type Home, SHARD_NAMES } from "#platform/databases/shard-name.ts";
import { Failure } from "../../scripts/local/failure.ts";
import { migrateEmpty } from "../../scripts/local/migrate.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { makeAssets } from "../../scripts/make/assets.ts";
import { type Bundle, bundleWorker } from "./bundle.ts";
import { type Internet, type RunningWorker, startWorkerd } from "./workerd.ts";

/** The whole service with empty storage and rate limits that no measurement reaches. */
export interface Service {
  readonly worker: RunningWorker;
  readonly db: D1Database;
  /** Databases of workspaces: the shards, or only `DB` if there are none. */
  readonly databases: readonly D1Database[];
  /** Creates a workspace with credits in the database with this index. */
  readonly openWorkspace: (credits: number, database?: number) => Promise<Workspace>;
  readonly stop: () => Promise<void>;
}

export interface Workspace {
  readonly workspaceId: string;
  readonly secret: string;
}

const UNLIMITED = "100000000";
const VARIABLES = {
  ...Object.fromEntries(WINDOW_NAMES.map((name) => [windowVariable(name), UNLIMITED])),
  PREVIEW_DAILY: UNLIMITED,
  PREVIEW_BURST: UNLIMITED,
};
const CONFIG_PATH = inRoot("wrangler.toml");

/** Replaces the renderer. The key is the import specifier in src/platform/render-engine.ts. */
const RENDERER_STAND_IN = { "../renderer/index.ts": inRoot("bench/workers/stand-in-renderer.ts") };

const bundles = new Map<string, Promise<Bundle>>();

/** Bundles the service, optionally with another entry or without rendering. Each variant is built once per run. */
export function serviceBundle(script: string | null = null, hasStandIn = false): Promise<Bundle> {
  const name = `${script} ${hasStandIn}`;
  const bundle =
    bundles.get(name) ??
    makeAssets().then(() => bundleWorker(CONFIG_PATH, script, hasStandIn ? RENDERER_STAND_IN : {}));
  bundles.set(name, bundle);
  return bundle;
}

/** Applies the newest schema to an empty database. */
async function migrateNew(db: D1Database): Promise<void> {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'workspaces'");
  if ((await table.first()) === null) await migrateEmpty(db);
}

export interface ServiceOptions {
  /** False leaves messages in the queue, so that nothing is rendered during the measurement. */
  readonly isDrawing?: boolean;
  /** Path of an entry module that wraps the service; null for the service's own entry. */
  readonly script?: string | null;
  /** Databases of workspaces besides `DB`. */
  readonly shards?: number;
  /** True replaces the renderer, so that each file is one byte (workers/stand-in-renderer.ts). */
  readonly hasStandIn?: boolean;
  /** Variables that override the configuration. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Receives the worker's log lines. */
  readonly onLog?: (line: string, level: string) => void;
  /** Answers the worker's requests to other servers. */
  readonly internet?: Internet;
  /** Statements that create the schema of each database. Default: the migrations. */
  readonly schema?: readonly string[];
}

/** Generated once per run, so that API keys stay valid when the service restarts. */
const SECRETS = Object.fromEntries(
  ["KEY_PEPPER", "DOWNLOAD_SIGNING_KEY", "TRIAL_SECRET", "AUTH_SECRET"].map((name) => [
    name,
    randomBytes(32).toString("hex"),
  ]),
);

export async function startService({
  isDrawing = true,
  script = null,
  shards = 0,
  hasStandIn = false,
  variables = {},
  onLog = () => undefined,
  internet,
  schema,
}: ServiceOptions = {}): Promise<Service> {
  const bundle = await serviceBundle(script, hasStandIn);
  const names = SHARD_NAMES.slice(0, shards);
  const worker = await startWorkerd(bundle, CONFIG_PATH, {
    databases: names.map(bindingOf),
    variables: { ...VARIABLES, ...SECRETS, ...variables },
    hasConsumers: isDrawing,
    onLog,
    ...(internet === undefined ? {} : { internet }),
  });
  const bindings = await worker.bindings<{ DB: D1Database } & ShardBindings>();
  const { DB: db } = bindings;
  const homes: readonly Home[] = names.length === 0 ? [DIRECTORY] : names;
  const found = homes.map((home) => (home === DIRECTORY ? db : bindings[bindingOf(home)]));
  const databases = found.filter((database) => database !== undefined);
  for (const database of new Set([db, ...databases])) {
    if (schema === undefined) await migrateNew(database);
    else await database.batch(schema.map((statement) => database.prepare(statement)));
  }
  return {
    worker,
    db,
    databases,
    openWorkspace: async (credits, number = 0) => {
      const plan = { name: `Bench ${randomUUID()}`, credits, subscription: null, hasUnlimitedAccess: false };
      const { workspaceId, secret } = await createWorkspace(
        {
          db: databases[number] ?? db,
          home: homes[number] ?? DIRECTORY,
          keyPepper: SECRETS.KEY_PEPPER ?? "",
        },
        plan,
        Date.now(),
      );
      return { workspaceId, secret };
    },
    stop: worker.stop,
  };
}

/** Repeats `probe` every `pauseMs` until it returns a value other than null. */
export async function until<T>(probe: () => Promise<T | null>, what: string, pauseMs = 20): Promise<T> {
  const deadlineMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const found = await probe();
    if (found !== null) return found;
    if (performance.now() > deadlineMs) throw new Failure(`${what} did not come to an end.`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Timeout of `until`. */
const WAIT_MS_MAX = 300_000;
