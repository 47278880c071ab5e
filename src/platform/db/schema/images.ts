import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Secrets that sign image URLs. A revoked secret has no row. Images have no table; see `jobs.image_hash`. */
export const imageSecrets = sqliteTable(
  "image_secrets",
  {
    imageSecretId: text("image_secret_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    name: text("name").notNull(),
    /** The secret, encrypted. */
    sealed: text("sealed").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("image_secrets_by_workspace").on(table.workspaceId, table.imageSecretId)],
);
