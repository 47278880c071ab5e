import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Cached previews by storage key, for the sweep; all other data is in the object. */
export const previews = sqliteTable(
  "previews",
  {
    objectKey: text("object_key").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    /** When the object may be deleted. */
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("previews_expiring").on(table.expiresAt)],
);
