import { anyDatabase } from "./homes.ts";

/** Single statements to the worker's databases as template tags; values are bound. */

type Value = string | number | null | undefined;

const bound = (sql: TemplateStringsArray, values: readonly Value[]): D1PreparedStatement =>
  anyDatabase()
    .prepare(sql.reduce((text, part, at) => `${text}?${at}${part}`))
    .bind(...values);

export const execute = (sql: TemplateStringsArray, ...values: readonly Value[]): Promise<D1Result> =>
  bound(sql, values).run();

export async function selectRows<Row = Record<string, unknown>>(
  sql: TemplateStringsArray,
  ...values: readonly Value[]
): Promise<Row[]> {
  return (await bound(sql, values).all<Row>()).results;
}

/** The first row, or null. */
export const selectRow = <Row = Record<string, unknown>>(
  sql: TemplateStringsArray,
  ...values: readonly Value[]
): Promise<Row | null> => bound(sql, values).first<Row>();

/** The first column of the first row, or null. */
export async function selectValue<Column = unknown>(
  sql: TemplateStringsArray,
  ...values: readonly Value[]
): Promise<Column | null> {
  const [row] = await bound(sql, values).raw<Column[]>();
  return row?.[0] ?? null;
}

/** Number of a workspace's rows in a table. The table's name must be a literal of the test. */
export const countRows = (table: string, workspaceId: string): Promise<number | null> =>
  anyDatabase()
    .prepare(`SELECT COUNT(*) AS count FROM ${table} WHERE workspace_id = ?1`)
    .bind(workspaceId)
    .first<number>("count");
