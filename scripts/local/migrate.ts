import { readdir, readFile } from "node:fs/promises";
import type { Miniflare as Runtime } from "miniflare";
import { z } from "zod";
import { inRoot } from "./paths.ts";
import { WRANGLER_ENVIRONMENT } from "./tool.ts";

/** The methods of an open D1 that migrations use. */
interface OpenDatabase<Statement> {
  readonly prepare: (sql: string) => Statement;
  readonly batch: (statements: Statement[]) => Promise<unknown>;
}

export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** wrangler's table of applied migrations, in the same format, so that both can continue each other's work. */
export const RECORD = "d1_migrations";
export const CREATE_RECORD = `CREATE TABLE IF NOT EXISTS ${RECORD} (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** The relevant part of wrangler.toml. */
const configuration = z.object({
  d1_databases: z.array(z.object({ binding: z.string(), database_id: z.string() })),
});

/** Sets wrangler's log level before it is loaded, since it reads it once. */
async function loadWrangler() {
  Object.assign(process.env, WRANGLER_ENVIRONMENT);
  return import("wrangler");
}

/** Migrations of a folder in order, each split into statements. */
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

/** Applies pending migrations. */
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
 * Migrates all local D1s of the configuration in a state folder. Idempotent. Uses one runtime for all of them;
 * `wrangler d1 migrations apply --local` starts one for each.
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
      // Folder in which `wrangler dev` stores local D1s.
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
 * Migrates an open, empty database without wrangler's record of migrations. For tests, because wrangler starts a
 * runtime per database.
 */
export async function migrateEmpty<Statement>(db: OpenDatabase<Statement>): Promise<void> {
  for (const { statements } of await readMigrations()) {
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}
