import { dirname, resolve } from "node:path";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import { isShardBinding } from "#platform/databases/shard-name.ts";
import { Failure } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import type { DeployOptions } from "./options.ts";
import { type TwoWorkers, twoWorkers } from "./two-workers.ts";

/** The placeholder id in the published wrangler.toml. */
const NO_DATABASE = "00000000-0000-0000-0000-000000000000";

/** The relevant part of wrangler's configuration, which its own types leave open. */
const CONFIGURATION = z.object({
  d1_databases: z.array(
    z.object({
      binding: z.string(),
      database_id: z.string().optional(),
      database_name: z.string().optional(),
      migrations_dir: z.string().optional(),
    }),
  ),
  r2_buckets: z.array(z.object({ bucket_name: z.string() })),
  queues: z.object({
    producers: z.array(z.object({ binding: z.string(), queue: z.string() })).default([]),
    consumers: z.array(z.object({ queue: z.string(), dead_letter_queue: z.string().optional() })).default([]),
  }),
  vars: z.record(z.string(), z.unknown()),
  send_email: z.array(z.object({ name: z.string() })).default([]),
});

/** A database that the worker is bound to. */
export interface DeployedDatabase {
  readonly binding: string;
  readonly name: string;
  readonly migrationsFolder: string;
  /** Whether the configuration contains the database's id. */
  readonly isMade: boolean;
}

/** Resources that a configuration names in an account. */
export interface Deployment {
  /** Path of the configuration, as given. */
  readonly file: string;
  readonly target: readonly string[];
  readonly workers: TwoWorkers;
  /** `DB` first, then the shards. */
  readonly databases: readonly DeployedDatabase[];
  readonly buckets: readonly string[];
  readonly queues: readonly string[];
  /** The `queues` that have a consumer. */
  readonly consumed: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether the platform's own mail binding is used. */
  readonly hasMailBinding: boolean;
  /** Whether videos have a queue. */
  readonly hasVideoQueue: boolean;
}

/** Reads a configuration as wrangler does. */
export function readDeployment({ target, config, env }: DeployOptions): Deployment {
  const file = resolve(inRoot(""), config ?? "wrangler.toml");
  const configuration = unstable_readConfig({ config: file, ...(env === undefined ? {} : { env }) });
  const read = CONFIGURATION.parse(configuration);
  for (const { binding } of read.d1_databases.slice(1)) {
    if (!isShardBinding(binding)) {
      throw new Failure(`${config ?? "wrangler.toml"} binds ${binding}: shards are DB_00 to DB_63.`);
    }
  }
  const producers = read.queues.producers.map(({ queue }) => queue);
  const consumers = read.queues.consumers.flatMap(({ queue, dead_letter_queue: dead }) =>
    dead === undefined ? [queue] : [queue, dead],
  );
  return {
    file: config ?? "wrangler.toml",
    target,
    workers: twoWorkers(file, configuration),
    databases: read.d1_databases.map(({ binding, database_id: id, database_name: name, migrations_dir }) => ({
      binding,
      name: name ?? binding,
      migrationsFolder: resolve(dirname(file), migrations_dir ?? "migrations"),
      isMade: id !== undefined && id !== NO_DATABASE,
    })),
    buckets: read.r2_buckets.map(({ bucket_name: name }) => name),
    queues: [...new Set([...producers, ...consumers])],
    consumed: read.queues.consumers.map(({ queue }) => queue),
    variables: read.vars,
    hasMailBinding: read.send_email.some(({ name }) => name === "EMAIL"),
    hasVideoQueue: read.queues.producers.some(({ binding }) => binding === "VIDEO_QUEUE"),
  };
}
