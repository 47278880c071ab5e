import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { workspaces } from "./workspaces.ts";

/** Cached previews by their object in storage, for the sweep; everything else is in the object. */
export const previews = sqliteTable(
  "previews",
  {
    objectKey: text("object_key").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    /** When the object may be deleted. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("previews_expiring").on(table.expiresAt)],
);
