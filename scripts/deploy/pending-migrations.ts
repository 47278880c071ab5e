import { DatabaseSync } from "node:sqlite";
import { CREATE_RECORD, type Migration, RECORD } from "../local/migrate.ts";

/**
 * Pending migrations of a database as one SQL file.
 *
 * Wrangler's `d1 migrations apply --remote` posts each migration to D1's query endpoint. That endpoint was reported to
 * cut triggers at inner semicolons ("incomplete input"), and to keep the statements before a failed one
 * (cloudflare/workers-sdk issues 10998, 14991 and 15178, emdash-cms/emdash 3301, SlopDotCash/slopdotcash 158; read
 * 2026-11-24). `d1 execute --file` uses the import endpoint, which parses files like SQLite and, according to its
 * documentation, rolls back on failure. So everything goes into one import.
 */

/** The database's own schema, without tables of SQLite, D1 and wrangler. */
export const SCHEMA_QUERY = `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> '${RECORD}' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`;

export interface PendingMigrations {
  /** Names of the pending migrations, in order. */
  readonly names: readonly string[];
  /** Number of executed statements of the first migration; more than 0 only if that migration was interrupted. */
  readonly resumesAt: number;
  /** The SQL to import. */
  readonly sql: string;
}

/** Normalises a statement, because SQLite versions quote and indent the output of ALTER TABLE differently. */
const withoutSpelling = (sql: string): string => sql.replaceAll(/[\s"`[\]]/g, "").toLowerCase();

const shapeOf = (schema: readonly string[]): string => schema.map(withoutSpelling).sort().join("\n");

/**
 * Number of statements of `next` that a database with this schema has executed: 0 unless the schema matches an
 * interrupted migration. Statements without schema changes leave no trace, so those after the last visible change count
 * as not executed and must be repeatable.
 */
export function statementsDone(
  applied: readonly Migration[],
  next: Migration,
  schema: readonly string[],
): number {
  const replay = new DatabaseSync(":memory:");
  try {
    for (const { statements } of applied) for (const statement of statements) replay.exec(statement);
    const wanted = shapeOf(schema);
    const isReached = (): boolean => {
      const rows = replay.prepare(SCHEMA_QUERY).all();
      return rows.length === schema.length && shapeOf(rows.map(({ sql }) => String(sql))) === wanted;
    };
    if (isReached()) return 0;
    for (const [at, statement] of next.statements.entries()) {
      replay.exec(statement);
      if (isReached()) return at + 1;
    }
    return 0;
  } finally {
    replay.close();
  }
}

const recordOf = ({ name }: Migration): string => `INSERT INTO ${RECORD} (name) VALUES ('${name}')`;

/**
 * A statement without the comment lines before it, including drizzle's separators, because they may confuse D1's
 * splitter.
 */
const bare = (statement: string): string => statement.replace(/^(?:\s*--[^\n]*\n)*\s*/, "");

/** The file for a database with the migrations in `applied` and this schema; null if nothing is pending. */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly string[],
  schema: readonly string[],
): PendingMigrations | null {
  const [next, ...later] = migrations.filter(({ name }) => !applied.includes(name));
  if (next === undefined) return null;
  const behind = migrations.filter(({ name }) => applied.includes(name));
  const resumesAt = statementsDone(behind, next, schema);
  const statements = [
    CREATE_RECORD,
    ...next.statements.slice(resumesAt),
    recordOf(next),
    ...later.flatMap((migration) => [...migration.statements, recordOf(migration)]),
  ];
  return {
    names: [next, ...later].map(({ name }) => name),
    resumesAt,
    sql: statements.map((statement) => `${bare(statement)};\n`).join(""),
  };
}
