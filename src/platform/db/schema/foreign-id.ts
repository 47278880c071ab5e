import { type AnySQLiteColumn, text } from "drizzle-orm/sqlite-core";

/** A column for the id of a row in another table, which must be there. */
export const foreignId = (name: string, id: () => AnySQLiteColumn) => text(name).notNull().references(id);
