import { type AnySQLiteColumn, text } from "drizzle-orm/sqlite-core";

/** A column that references another table's id. */
export const foreignId = (name: string, id: () => AnySQLiteColumn) => text(name).notNull().references(id);
