import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { BrandDesign } from "#api/brand-design.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Saved brands. A job copies the brand's values, so changing or deleting a brand changes no job. */
export const brands = sqliteTable(
  "brands",
  {
    brandId: text("brand_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    name: text("name").notNull(),
    design: text("design", { mode: "json" }).$type<BrandDesign>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  // Creation times are unique per workspace, so a time alone is a complete cursor.
  (table) => [uniqueIndex("brands_by_workspace").on(table.workspaceId, table.createdAt)],
);
