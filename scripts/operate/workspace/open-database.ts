import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { type Databases, readDatabases, type ShardBindings } from "#platform/databases/databases.ts";
import { isShardBinding } from "#platform/databases/shard-name.ts";
import { Failure } from "../../local/failure.ts";
import { OperatedDatabase } from "../../local/operated-database.ts";
import { readService } from "../../local/operated-service.ts";
import { WRANGLER_ENVIRONMENT } from "../../local/tool.ts";
import type { Target } from "./run-command.ts";

export interface OpenDatabase {
  /** `DB`. */
  readonly db: D1Database;
  readonly databases: Databases;
  /** Database names in the account, by binding. */
  readonly names: ReadonlyMap<string, string>;
  /** Ends the process behind the bindings. */
  readonly close: () => Promise<void>;
}

const BINDING = "DB";
/** `DB` and the shards. */
const isOurs = ({ binding }: { readonly binding: string }): boolean =>
  binding === BINDING || isShardBinding(binding);

/** The published wrangler.toml contains a placeholder until a database is deployed. */
const NOT_DEPLOYED = "00000000-0000-0000-0000-000000000000";

/** The relevant part of a wrangler configuration. Other fields of a database are passed on unchanged. */
const configuration = z.object({
  name: z.string().default("creative-packs"),
  compatibility_date: z.string(),
  account_id: z.string().optional(),
  d1_databases: z.array(
    z.looseObject({
      binding: z.string(),
      database_id: z.string().optional(),
      database_name: z.string().optional(),
    }),
  ),
});

/** Sets wrangler's log level and loads wrangler, which reads the level only once. Errors still reach stderr. */
async function loadWrangler() {
  Object.assign(process.env, WRANGLER_ENVIRONMENT, { WRANGLER_LOG: "error" });
  return import("wrangler");
}

/**
 * Opens the worker's D1s, `DB` and its shards. Locally they are the SQLite files of a state folder, accessed through
 * the worker of `npm run dev` if it runs. Remotely they are the deployed databases, accessed through wrangler's remote
 * bindings and the operator's login. The generated configuration contains only these bindings and no secret.
 */
export async function openDatabase(target: Target): Promise<OpenDatabase> {
  const { getPlatformProxy, unstable_readConfig: readConfig } = await loadWrangler();
  if (!existsSync(target.configPath)) throw new Failure(`There is no ${target.configPath}.`);
  const config = configuration.parse(readConfig({ config: target.configPath }));
  const bound = config.d1_databases.filter(isOurs);
  const database = bound.find(({ binding }) => binding === BINDING);
  if (database === undefined) throw new Failure(`${target.configPath} has no D1 binding named ${BINDING}.`);
  if (target.isRemote && database.database_id === NOT_DEPLOYED) {
    throw new Failure(`${target.configPath} names no deployed database yet: deploy first, or give --config.`);
  }
  const names = new Map(bound.map(({ binding, database_name: name }) => [binding, name ?? binding]));
  const service = target.isRemote ? null : await readService(resolve(target.stateFolder));
  if (service !== null) {
    const open = bound.map(({ binding }) => [binding, new OperatedDatabase(() => service, binding)]);
    const databases = readDatabases(Object.fromEntries(open));
    if (databases === null) throw new Error(`${BINDING} is not among the databases`);
    return { db: databases.directory, databases, names, close: async () => undefined };
  }
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-operator-"));
  try {
    const configPath = join(folder, "wrangler.json");
    await writeFile(
      configPath,
      JSON.stringify({
        // A separate name, so that it is not confused with a running worker.
        name: `${config.name}-operator`,
        compatibility_date: config.compatibility_date,
        ...(config.account_id === undefined ? {} : { account_id: config.account_id }),
        d1_databases: bound.map((one) => ({ ...one, remote: target.isRemote })),
      }),
    );
    const proxy = await getPlatformProxy<ShardBindings & { readonly [BINDING]: D1Database }>({
      configPath,
      persist: target.isRemote ? false : { path: resolve(target.stateFolder, "v3") },
      remoteBindings: target.isRemote,
    });
    const databases = readDatabases(proxy.env);
    if (databases === null) throw new Error(`wrangler has not bound ${BINDING}`);
    return {
      db: databases.directory,
      databases,
      names,
      close: async () => {
        await proxy.dispose();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Failure(
      `The ${target.isRemote ? "deployed" : "local"} database could not be opened: ${reason}`,
    );
  }
}
