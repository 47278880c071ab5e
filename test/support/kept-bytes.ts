import { env } from "cloudflare:workers";

/**
 * Bytes of rows and index entries in SQLite's format (https://www.sqlite.org/fileformat2.html#record_format), with
 * headers and cell pointers, without free space of pages.
 */

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

const CELL_POINTER_BYTES = 2;
/** Bytes of a rowid in a table of up to 2^28 rows. */
const ROWID_BYTES = 4;

const varintBytes = (value: number): number => (value < 2 ** 7 ? 1 : value < 2 ** 14 ? 2 : 3);

function integerBytes(value: number): number {
  if (value === 0 || value === 1) return 0;
  const bits = value < 0 ? -value - 1 : value;
  return [1, 2, 3, 4, 6].find((bytes) => bits < 2 ** (8 * bytes - 1)) ?? 8;
}

/** Bytes of a value: its header and its content. */
function valueBytes(value: Value): number {
  if (value === null) return 1;
  if (typeof value === "number") return 1 + integerBytes(value);
  const bytes = new TextEncoder().encode(value).byteLength;
  return varintBytes(2 * bytes + 13) + bytes;
}

function recordBytes(values: readonly Value[]): number {
  const payload = values.reduce<number>((sum, value) => sum + valueBytes(value), 0);
  return CELL_POINTER_BYTES + varintBytes(payload) + varintBytes(values.length) + payload;
}

const read = async <T>(sql: string, ...values: readonly Value[]): Promise<T[]> =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;

const sqlOf = async (name: string): Promise<string> =>
  (await read<{ sql: string | null }>("SELECT sql FROM sqlite_master WHERE name = ?1", name))[0]?.sql ?? "";

/**
 * Bytes of a table's rows that meet a condition, and of their index entries, by name of the table or index. `value` is
 * bound to `?1` of the condition.
 */
async function keptBytes(
  table: string,
  condition: string,
  value: string,
): Promise<Readonly<Record<string, number>>> {
  const columns = await read<{ name: string; type: string; pk: number }>(`PRAGMA table_info(${table})`);
  const indexes = await read<{ name: string; origin: string }>(`PRAGMA index_list(${table})`);
  const hasRowid = !/WITHOUT ROWID/i.test(await sqlOf(table));
  const keys = columns.filter(({ pk }) => pk > 0);
  // An integer primary key is the rowid, and not in the record.
  const alias = keys.length === 1 && keys[0]?.type.toUpperCase() === "INTEGER" ? keys[0].name : null;
  const rows = await read<Row>(`SELECT * FROM ${table} WHERE ${condition}`, value);
  const kept: Record<string, number> = {
    [table]: rows.reduce(
      (sum, row) =>
        sum +
        (hasRowid ? ROWID_BYTES : 0) +
        recordBytes(columns.map(({ name }) => (name === alias ? null : (row[name] ?? null)))),
      0,
    ),
  };
  for (const { name, origin } of indexes) {
    if (origin === "pk" && !hasRowid) continue;
    const members = await read<{ name: string }>(`PRAGMA index_info(${name})`);
    const partial = / WHERE (.*)$/is.exec(await sqlOf(name))?.[1] ?? "1";
    const entries = await read<Row>(`SELECT * FROM ${table} WHERE (${condition}) AND (${partial})`, value);
    kept[name] = entries.reduce(
      (sum, row) =>
        sum + (hasRowid ? ROWID_BYTES : 0) + recordBytes(members.map((member) => row[member.name] ?? null)),
      0,
    );
  }
  return kept;
}

/** The tables with rows of a pack, each with a condition on the job's id. */
const KEPT_OF_PACK: readonly (readonly [table: string, condition: string])[] = [
  ["jobs", "job_id = ?1"],
  ["job_parts", "job_id = ?1"],
  ["artifacts", "job_id = ?1"],
  ["ledger_events", "job_id = ?1"],
  ["idempotency_keys", "resource_id = ?1"],
];

/** Bytes of a job's pack in the database: in total, and by name of the table or index. */
export async function keptBytesOfPack(
  jobId: string,
): Promise<{ readonly sum: number; readonly byName: Readonly<Record<string, number>> }> {
  const found = await Promise.all(
    KEPT_OF_PACK.map(([table, condition]) => keptBytes(table, condition, jobId)),
  );
  const byName = Object.fromEntries(found.flatMap((bytes) => Object.entries(bytes)));
  return { sum: Object.values(byName).reduce((sum, bytes) => sum + bytes, 0), byName };
}
