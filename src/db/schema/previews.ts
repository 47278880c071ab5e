import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "./workspaces.ts";

/** Kept previews by their object in storage, for the sweep; everything else of them lies in the object. */
export const previews = sqliteTable(
  "previews",
  {
    objectKey: text("object_key").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    /** When the object may be removed. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("previews_expiring").on(table.expiresAt)],
);
