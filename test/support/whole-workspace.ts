import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { MOVED_GROUPS } from "#platform/databases/move-tables.ts";
import { workspaces } from "#platform/db/schema/index.ts";
import { newId } from "#platform/ids.ts";

/** A workspace with rows in each of its tables, and a dump of all of them. */

type Value = string | number | null;

/** Texts that a copy may corrupt. */
const TEXTS = [
  "plain",
  `"quoted" 'twice' \\ `,
  "line\nbreak\tand tab",
  "été 日本 🙂 \u2028",
  "",
  "1e3",
  "007",
  "[1]",
];

/** Columns that reference another table, with that table and column. */
function namedColumns(table: SQLiteTable): Map<string, string> {
  const named = new Map<string, string>();
  for (const { reference } of getTableConfig(table).foreignKeys) {
    const { columns, foreignTable } = reference();
    const [column] = columns;
    if (column !== undefined) named.set(column.name, getTableConfig(foreignTable).name);
  }
  return named;
}

/** Column values required by constraints, or read by a move. */
const SET: Readonly<Record<string, (at: number) => Value>> = {
  "ledger_events.source": () => "credits",
  "ledger_events.type": () => "grant",
  "ledger_events.amount": () => 10,
  "ledger_events.balance_after": (at) => 10 * (at + 1),
  "subscriptions.status": (at) => (at === 0 ? "active" : "canceled"),
  "subscriptions.quota_used": (at) => at % 100,
  "subscriptions.quota_limit": () => 100,
  "top_ups.status": (at) => (at === 0 ? "open" : "paid"),
  "deliveries.status": () => "queued",
  "jobs.status": () => "queued",
  "jobs.dispatched_at": () => 5,
  "assets.status": () => "ready",
};

/** Values for which sweeps ignore the rows, so that only a move changes them: jobs have succeeded and do not wait. */
const SETTLED: typeof SET = { "jobs.status": () => "succeeded", "jobs.is_waiting": () => 0 };

/** Maximum rows of `ledger_months`: forty years. */
const MONTHS_MAX = 480;

const isTime = (column: string): boolean => /_(?:at|until|after|start|end)$/.test(column);

/** Rows of a table: the requested number, or one row if the workspace's id is the primary key. */
function rowsFor(
  table: SQLiteTable,
  { workspaceId, count, dueAt }: SeededRows,
  ids: Map<string, string[]>,
): Value[][] {
  const { name, primaryKeys } = getTableConfig(table);
  const columns = Object.values(getTableColumns(table));
  const named = namedColumns(table);
  const isSingle = columns.some((column) => column.name === "workspace_id" && column.primary);
  const keys = columns.filter(({ primary }) => primary).map((column) => column.name);
  const own: string[] = [];
  const length = isSingle ? 1 : name === "ledger_months" ? Math.min(count, MONTHS_MAX) : count;
  const rows = Array.from({ length }, (_, at) =>
    columns.map((column): Value => {
      const set =
        (dueAt === null ? undefined : SETTLED[`${name}.${column.name}`]) ?? SET[`${name}.${column.name}`];
      if (set !== undefined) return set(at);
      if (dueAt !== null && isTime(column.name)) return dueAt + at;
      const parent = named.get(column.name);
      if (column.name === "workspace_id") return workspaceId;
      if (column.name === "artifact_id" && name === "jobs") {
        ids.set("artifacts of jobs", [...(ids.get("artifacts of jobs") ?? []), newId()]);
        return ids.get("artifacts of jobs")?.at(-1) ?? null;
      }
      if (column.name === "artifact_id" && name === "artifacts") {
        own.push(ids.get("artifacts of jobs")?.[at] ?? newId());
        return own.at(-1) ?? null;
      }
      if (parent !== undefined) return ids.get(parent)?.[at % (ids.get(parent)?.length ?? 1)] ?? null;
      if (name === "ledger_months" && column.name === "first_event_id") return null;
      if (name === "delivery_files" && column.name === "delivery_id")
        return ids.get("deliveries")?.[at] ?? null;
      if (name === "billing_events" && column.name === "object_id") return ids.get("payments")?.[at] ?? null;
      if (name === "deliveries" && column.name === "delivery_id") {
        own.push(newId());
        return own.at(-1) ?? null;
      }
      if (keys.includes(column.name) && column.dataType === "string") {
        own.push(`${newId()}`);
        return own.at(-1) ?? null;
      }
      if (keys.includes(column.name)) return null;
      if (column.name === "facts") return JSON.stringify({ kind: "none", text: TEXTS[at % TEXTS.length] });
      if (column.dataType === "number" || column.dataType === "boolean") return at;
      const isUnique = /(?:^|_)(?:id|hash|key|reference|identity|name|day|month)$/.test(column.name);
      if (isUnique || primaryKeys.length > 0) return `${workspaceId}:${name}:${column.name}:${at}`;
      return TEXTS[at % TEXTS.length] ?? "";
    }),
  );
  ids.set(name, own);
  return rows;
}

const MOVED_TABLES = MOVED_GROUPS.flatMap(({ root, children }) => [
  root,
  ...children.map(({ table }) => table),
]);

/** The rows to insert. */
interface SeededRows {
  readonly workspaceId: string;
  readonly count: number;
  /** Value of every due time in Unix milliseconds, for rows that no sweep may change. Null sets no due times. */
  readonly dueAt: number | null;
}

/** Rows per statement: some hundred kilobytes of JSON. */
const ROWS_PER_STATEMENT = 500;

/** Inserts rows given as JSON, a list of lists. */
function insertStatement(table: SQLiteTable, workspaceId: string): string {
  const { name } = getTableConfig(table);
  const columns = Object.values(getTableColumns(table)).map((column) => column.name);
  const values = columns.map((column, place) =>
    name === "ledger_months" && column === "first_event_id"
      ? `(SELECT min(event_id) FROM ledger_events WHERE workspace_id = '${workspaceId}')`
      : `row.value ->> ${place}`,
  );
  return `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?1) AS row`;
}

/** Inserts rows into every table of a workspace that has no ledger yet. `db` is the workspace's database. */
export async function seedRows(db: D1Database, seeded: SeededRows): Promise<void> {
  const { workspaceId, count } = seeded;
  const ids = new Map<string, string[]>();
  const statements = [
    db.prepare("UPDATE workspaces SET credits = ?2 WHERE workspace_id = ?1").bind(workspaceId, count * 10),
  ];
  // Tables with references come after the referenced ones.
  const byNames = MOVED_TABLES.toSorted(
    (one, other) =>
      Number(getTableConfig(one).name === "billing_events") -
      Number(getTableConfig(other).name === "billing_events"),
  );
  for (const table of byNames) {
    const rows = rowsFor(table, seeded, ids);
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      const json = JSON.stringify(rows.slice(at, at + ROWS_PER_STATEMENT));
      statements.push(db.prepare(insertStatement(table, workspaceId)).bind(json));
    }
  }
  await db.batch([
    db.prepare("INSERT INTO workspace_copies VALUES (?1)").bind(workspaceId),
    ...statements,
    db.prepare("DELETE FROM workspace_copies"),
  ]);
}

/** Inserts a workspace with `count` rows in each table. Returns its id. */
export async function seedWorkspace(db: D1Database, count = 3): Promise<string> {
  const workspaceId = newId();
  await db
    .prepare("INSERT INTO workspaces (workspace_id, name, kind, created_at) VALUES (?1, ?2, 'standard', 7)")
    .bind(workspaceId, `"Œuvre" \\ 1`)
    .run();
  await seedRows(db, { workspaceId, count, dueAt: null });
  return workspaceId;
}

const JOINS: Readonly<Record<string, string>> = {
  job_parts: "JOIN jobs p ON p.job_id = t.job_id",
  delivery_files: "JOIN deliveries p ON p.delivery_id = t.delivery_id",
  share_comments: "JOIN shares p ON p.share_id = t.share_id",
  billing_events: "JOIN payments p ON p.payment_id = t.object_id",
};

/** Numbers that each database assigns. */
const NUMBERS = new Set(["event_id", "delivery_number", "first_event_id"]);
/** Columns that differ by database, or that the end of a move resets. */
const NOT_COMPARED = new Set([
  ...["home", "moving_to", "moving_since", "people_revision", "people_mirrored"],
  "dispatched_at",
]);

type Row = Record<string, unknown>;

/** Every row of a workspace by table, with assigned numbers replaced by their rank. */
export async function wholeWorkspace(db: D1Database, workspaceId: string): Promise<Record<string, Row[]>> {
  const names = [workspaces, ...MOVED_TABLES].map((table) => getTableConfig(table).name);
  const results = await db.batch<Row>(
    names.map((name) => {
      const join = JOINS[name];
      const sql = `SELECT t.* FROM ${name} t ${join ?? ""} WHERE ${join ? "p" : "t"}.workspace_id = ?1`;
      return db.prepare(sql).bind(workspaceId);
    }),
  );
  const ofName = new Map(names.map((name, at) => [name, results[at]?.results ?? []]));
  const numbersOf = (name: string, column: string) =>
    (ofName.get(name) ?? []).map((row) => Number(row[column])).toSorted((one, other) => one - other);
  const events = numbersOf("ledger_events", "event_id");
  const sent = numbersOf("deliveries", "delivery_number");
  const plain = (name: string, row: Row): Row =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([column]) => !NOT_COMPARED.has(column))
        .map(([column, value]) => [
          column,
          NUMBERS.has(column) && name !== "billing_events"
            ? (name === "deliveries" ? sent : events).indexOf(Number(value))
            : value,
        ]),
    );
  return Object.fromEntries(
    [...ofName].map(([name, rows]) => [
      name,
      rows
        .map((row) => plain(name, row))
        .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    ]),
  );
}

/** A workspace's row count per table, without zeros. */
export async function countsOf(db: D1Database, workspaceId: string): Promise<Record<string, number>> {
  const whole = await wholeWorkspace(db, workspaceId);
  return Object.fromEntries(
    Object.entries(whole).flatMap(([name, { length }]) => (length === 0 ? [] : [[name, length]])),
  );
}
