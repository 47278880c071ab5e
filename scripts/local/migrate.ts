import { readdir, readFile } from "node:fs/promises";
import { inRoot } from "./paths.ts";
import { requireTool, WRANGLER_ENVIRONMENT } from "./tool.ts";

/** Brings the local D1 in a state folder up to the newest migration; repeating it changes nothing. */
export async function migrateLocal(stateFolder: string): Promise<void> {
  await requireTool(
    "Migrating the local database",
    "wrangler",
    ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateFolder],
    WRANGLER_ENVIRONMENT,
  );
}

/** What is needed of a D1 that is open. */
interface OpenDatabase<Statement> {
  readonly prepare: (sql: string) => Statement;
  readonly batch: (statements: Statement[]) => Promise<unknown>;
}

/**
 * Brings an open, empty database to the newest migration, without the record of them that wrangler keeps: for tests, as
 * wrangler starts a runtime for each.
 */
export async function migrateEmpty<Statement>(db: OpenDatabase<Statement>): Promise<void> {
  const { unstable_splitSqlQuery: splitStatements } = await import("wrangler");
  const folder = inRoot("migrations");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  for (const file of files) {
    const statements = splitStatements(await readFile(`${folder}/${file}`, "utf8"));
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}
