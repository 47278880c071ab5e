import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";
import { createTestHarness } from "wrangler";
import type { Env } from "#platform/bindings/env.ts";
import type { NamedDatabase } from "#platform/databases/databases.ts";
import { bindingOf, DIRECTORY, SHARD_NAMES, type ShardName } from "#platform/databases/shard-name.ts";
import { faultsIn } from "../../logs/secrets-in-text.ts";
import { firstDatabase } from "../../support/first-database.ts";

/** Number of shards of each service: `SHARDS=4 npm run test:conformance`. */
const SHARDS = Number(process.env.SHARDS ?? 0);

/** Interval of polls for the end of the shards' sweeps. */
const SWEPT_POLL_MS = 50;
const SWEPT_POLLS_MAX = 600;

/** The built worker with its own empty storage, over HTTP. */
export interface Service {
  readonly origin: string;
  /** The database, for setup that no route offers (grants, expiry); never for assertions. */
  readonly db: D1Database;
  /** File storage, for setup that no route offers; never for assertions. */
  readonly bucket: R2Bucket;
  /** The databases by name, `DB` first; workspaces live on the shards if there are any. */
  readonly databases: readonly NamedDatabase[];
  readonly keyPepper: string;
  /** Runs the scheduled sweep of all databases once. */
  readonly sweep: () => Promise<void>;
  readonly logs: () => string;
  readonly stop: () => Promise<void>;
}

export interface ServiceOptions {
  /** Names of bindings or secrets that the origin lacks. */
  readonly without?: readonly string[];
  readonly vars?: Readonly<Record<string, string>>;
  /** Further variables that depend on the service's origin. */
  readonly varsAt?: (origin: string) => Readonly<Record<string, string>>;
  /** Durable Object binding → another class to bind, whose calls fail. */
  readonly failingClasses?: Readonly<Record<string, string>>;
  /** Number of shards; default SHARDS of the environment, or none. */
  readonly shards?: number;
  /** False leaves the database without tables, so that every read fails. */
  readonly isMigrated?: boolean;
}

export const SECRETS = {
  KEY_PEPPER: "conformance-tests-pepper-0123456789abcdef",
  KEY_CHECK_SECRET: "conformance-tests-check-0123456789abcdef",
  DOWNLOAD_SIGNING_KEY: "conformance-tests-signing-0123456789abcdef",
  TRIAL_SECRET: "conformance-tests-trial-0123456789abcdef",
  DELIVERY_ENCRYPTION_KEY: btoa("conformance-tests-encryption-012"),
  AUTH_SECRET: "conformance-tests-auth-0123456789abcdef",
  OAUTH_GITHUB_CLIENT_ID: "conformance-tests-github",
  OAUTH_GITHUB_CLIENT_SECRET: "conformance-tests-github-0123456789abcdef",
};

/**
 * Removes the `[[…]]` blocks of the named bindings and wrangler's build command, because services of tests have their
 * own secrets and tables. Binds the classes whose calls fail, and makes paths absolute.
 */
async function writeConfig(
  folder: string,
  without: readonly string[],
  failingClasses: Readonly<Record<string, string>>,
  shards: readonly ShardName[],
): Promise<string> {
  const root = resolve(".");
  const original = await readFile(join(root, "wrangler.toml"), "utf8");
  const blocks = original.split(/\n(?=\[)/);
  const kept = blocks.filter((block) => {
    const binding = /^(?:binding|name) = "([A-Z_]+)"$/m.exec(block)?.[1];
    return !block.startsWith("[build]") && (binding === undefined || !without.includes(binding));
  });
  const text = kept
    .join("\n")
    .replace(/^name = "([A-Z_]+)"\nclass_name = "(.+)"$/gm, (_, name: string, className: string) =>
      [`name = "${name}"`, `class_name = "${failingClasses[name] ?? className}"`].join("\n"),
    )
    .replace(/^main = "(.+)"$/m, (_, path: string) => `main = "${join(root, path)}"`)
    .replace(/^directory = "(.+)"$/m, (_, path: string) => `directory = "${join(root, path)}"`)
    .replace(/^migrations_dir = "(.+)"$/m, (_, path: string) => `migrations_dir = "${join(root, path)}"`);
  const configPath = join(folder, "wrangler.toml");
  const bound = shards.map((shard) =>
    [
      "[[d1_databases]]",
      `binding = "${bindingOf(shard)}"`,
      `database_name = "creative-packs-${shard}"`,
      `database_id = "00000000-0000-0000-0000-0000000001${shard}"`,
      `migrations_dir = "${join(root, "migrations")}"`,
    ].join("\n"),
  );
  await writeFile(configPath, [text, ...bound].join("\n\n"));
  return configPath;
}

/** Starts the worker. Stopping it also checks everything that it has logged. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const without = options.without ?? [];
  const shards = without.includes("DB") ? [] : SHARD_NAMES.slice(0, options.shards ?? SHARDS);
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-contract-"));
  const harness = createTestHarness({
    workers: [
      {
        configPath: await writeConfig(folder, without, options.failingClasses ?? {}, shards),
        prebuiltWorkerDir: inject("builtWorker"),
        vars: { ...options.vars },
        secrets: Object.fromEntries(Object.entries(SECRETS).filter(([name]) => !without.includes(name))),
      },
    ],
  });
  const { url } = await harness.listen();
  const { varsAt } = options;
  if (varsAt !== undefined) {
    await harness.update(({ workers }) => ({
      workers: workers.map((worker) =>
        "configPath" in worker ? { ...worker, vars: { ...worker.vars, ...varsAt(url.origin) } } : worker,
      ),
    }));
  }
  const worker = harness.getWorker<Env & { DB: D1Database; BUCKET: R2Bucket }>();
  const env = await worker.getEnv();
  if (!without.includes("DB") && options.isMigrated !== false) {
    for (const name of [DIRECTORY, ...shards.map(bindingOf)] as const) await worker.applyD1Migrations(name);
  }
  const onShards = shards.flatMap((home): readonly NamedDatabase[] => {
    const db = env[bindingOf(home)];
    return db === undefined ? [] : [{ home, db }];
  });
  const databases: readonly NamedDatabase[] = [{ home: DIRECTORY, db: env.DB }, ...onShards];
  return {
    origin: url.origin,
    db: without.includes("DB") ? env.DB : firstDatabase(databases.map(({ db }) => db)),
    databases,
    bucket: env.BUCKET,
    keyPepper: SECRETS.KEY_PEPPER,
    sweep: async () => {
      const begunAtMs = Date.now();
      const sweptCount = async () =>
        (
          await env.DB.prepare("SELECT COUNT(*) FROM shard_states WHERE measured_at >= ?1")
            .bind(begunAtMs)
            .raw()
        )[0]?.[0];
      await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date() });
      // The shards are swept soon after, by queue messages.
      for (let asked = 0; shards.length > 0 && (await sweptCount()) !== shards.length; asked += 1) {
        if (asked === SWEPT_POLLS_MAX) throw new Error("the shards were not swept");
        await setTimeout(SWEPT_POLL_MS);
      }
    },
    logs: () => JSON.stringify(harness.getLogs()),
    stop: async () => {
      const leakingLogs = harness.getLogs().filter(({ message }) => faultsIn(message).length > 0);
      await harness.close();
      await rm(folder, { recursive: true, force: true });
      if (leakingLogs.length > 0) throw new Error(`logs contain a secret: ${JSON.stringify(leakingLogs[0])}`);
    },
  };
}
