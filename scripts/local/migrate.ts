import { readdir, readFile } from "node:fs/promises";
import type { Miniflare as Runtime } from "miniflare";
import { z } from "zod";
import { inRoot } from "./paths.ts";
import { WRANGLER_ENVIRONMENT } from "./tool.ts";

/** What is needed of a D1 that is open. */
interface OpenDatabase<Statement> {
  readonly prepare: (sql: string) => Statement;
  readonly batch: (statements: Statement[]) => Promise<unknown>;
}

export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** The table in which `wrangler d1 migrations` keeps what was applied, as it makes it: both may go on from the other. */
export const RECORD = "d1_migrations";
export const CREATE_RECORD = `CREATE TABLE IF NOT EXISTS ${RECORD} (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** What is read of wrangler.toml. */
const configuration = z.object({
  d1_databases: z.array(z.object({ binding: z.string(), database_id: z.string() })),
});

/** wrangler, told to be quiet before it is loaded: it reads these once. */
async function loadWrangler() {
  Object.assign(process.env, WRANGLER_ENVIRONMENT);
  return import("wrangler");
}

/** The migrations of a folder in their order, each split into its statements. */
export async function readMigrations(folder = inRoot("migrations")): Promise<readonly Migration[]> {
  const { unstable_splitSqlQuery: splitStatements } = await loadWrangler();
  const names = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      statements: splitStatements(await readFile(`${folder}/${name}`, "utf8")),
    })),
  );
}

type LocalDatabase = Awaited<ReturnType<Runtime["getD1Database"]>>;

/** Applies what a database lacks. */
async function migrate(db: LocalDatabase, migrations: readonly Migration[]): Promise<void> {
  await db.prepare(CREATE_RECORD).run();
  const { results } = await db.prepare(`SELECT name FROM ${RECORD}`).all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue;
    const record = db.prepare(`INSERT INTO ${RECORD} (name) VALUES (?)`).bind(name);
    await db.batch([...statements.map((statement) => db.prepare(statement)), record]);
  }
}

/**
 * Brings the local D1s in a state folder, all that the configuration names, up to the newest migration; repeating it changes
 * nothing. One runtime for all of them, where `wrangler d1 migrations apply --local` starts one for each.
 */
export async function migrateLocal(
  stateFolder: string,
  configPath: string = inRoot("wrangler.toml"),
): Promise<void> {
  const { unstable_readConfig: readConfig } = await loadWrangler();
  const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
  const { d1_databases: databases } = configuration.parse(readConfig({ config: configPath }));
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {}",
      d1Databases: Object.fromEntries(databases.map(({ binding, database_id: id }) => [binding, id])),
      // Where `wrangler dev` keeps it.
      resourcePersistencePath: `${stateFolder}/v3`,
    }),
  );
  try {
    const migrations = await readMigrations();
    for (const { binding } of databases) await migrate(await runtime.getD1Database(binding), migrations);
  } finally {
    await runtime.dispose();
  }
}

/**
 * Brings an open, empty database to the newest migration, without the record of them that wrangler keeps: for tests, as
 * wrangler starts a runtime for each.
 */
export async function migrateEmpty<Statement>(db: OpenDatabase<Statement>): Promise<void> {
  for (const { statements } of await readMigrations()) {
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}
