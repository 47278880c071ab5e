import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { MOVED_GROUPS, PLACED_TABLES } from "#platform/databases/move-tables.ts";
import * as schema from "#platform/db/schema/index.ts";

const nameOf = (table: SQLiteTable): string => getTableConfig(table).name;

const tables = Object.values(schema).flatMap((one: unknown) => (is(one, SQLiteTable) ? [one] : []));

it("every table is listed exactly once", () => {
  expect(PLACED_TABLES.map(nameOf).toSorted()).toEqual(tables.map(nameOf).toSorted());
});

it("rows are copied after the rows that they reference", () => {
  const order = MOVED_GROUPS.flatMap(({ root, children }) => [root, ...children.map(({ table }) => table)]);
  const copied = order.map(nameOf);
  for (const [at, table] of order.entries()) {
    for (const { reference } of getTableConfig(table).foreignKeys) {
      const named = nameOf(reference().foreignTable);
      if (named === "workspaces") continue;
      expect(copied.slice(0, at), `${nameOf(table)} names ${named}`).toContain(named);
    }
  }
});

it("rows that are left behind by a move reference no deleted row", () => {
  const left = MOVED_GROUPS.filter(({ isLeftBehind }) => isLeftBehind);
  for (const { root, children } of left) {
    expect(children).toEqual([]);
    const named = getTableConfig(root).foreignKeys.map(({ reference }) => nameOf(reference().foreignTable));
    expect(named.filter((name) => name !== "workspaces")).toEqual([]);
  }
});
