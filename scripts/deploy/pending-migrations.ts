import { DatabaseSync } from "node:sqlite";
import { CREATE_RECORD, type Migration, RECORD } from "../local/migrate.ts";

/**
 * What a database still lacks, as one SQL file. Wrangler's own `d1 migrations apply --remote` posts each migration to D1's
 * query endpoint. That endpoint was seen to cut triggers at their inner semicolons ("incomplete input"), and to keep the
 * statements before the one that failed (cloudflare/workers-sdk issues 10998, 14991 and 15178, emdash-cms/emdash 3301,
 * SlopDotCash/slopdotcash 158; read 2026-11-24). `d1 execute --file` takes D1's import endpoint instead, which parses a file as
 * SQLite does and, by its documentation, puts the database back when it fails. So everything goes in one import.
 */

/** The database's own schema: without the tables of SQLite, D1 and wrangler. */
export const SCHEMA_QUERY = `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> '${RECORD}' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`;

export interface PendingMigrations {
  /** Their names, in order. */
  readonly names: readonly string[];
  /** Statements of the first that the database has already; more than 0 after a migration that broke off. */
  readonly resumesAt: number;
  /** The file to import. */
  readonly sql: string;
}

/** The same for two spellings of one statement: versions of SQLite quote and indent what ALTER TABLE writes differently. */
const withoutSpelling = (sql: string): string => sql.replaceAll(/[\s"`[\]]/g, "").toLowerCase();

const shapeOf = (schema: readonly string[]): string => schema.map(withoutSpelling).sort().join("\n");

/**
 * How many statements of `next` a database with this schema has behind it: 0 unless the schema is that of a migration that
 * broke off. Statements that change no table leave no trace, so those after the last visible change count as not executed:
 * they must bear repeating.
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

/** Comments, and the marks that drizzle puts between statements, are left out: a splitter may stumble over them. */
const bare = (statement: string): string => statement.replace(/^(?:\s*--[^\n]*\n)*\s*/, "");

/** The file for a database that has applied those named `applied` and has this schema; null where it lacks nothing. */
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
