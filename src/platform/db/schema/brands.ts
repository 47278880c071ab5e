import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { BrandAssetName } from "#api/slots.ts";
import type { ButtonStyleId, LookId } from "#catalogue/looks.ts";
import { foreignId } from "./foreign-id.ts";
import type { PackBrand } from "./jobs.ts";
import { workspaces } from "./workspaces.ts";

/** What a brand says; a member that is absent is left to the order. */
export interface BrandDesign {
  readonly colors?: PackBrand;
  readonly assetIds?: Partial<Readonly<Record<BrandAssetName, string>>>;
  readonly look?: LookId;
  readonly buttonStyle?: ButtonStyleId;
  readonly disclaimer?: string;
  readonly language?: string;
}

/** Saved brands. A job keeps the values that it took from one: changing or deleting a brand changes no job. */
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
  // Creation times are unique in a workspace, so that a time alone is a cursor that skips nothing.
  (table) => [uniqueIndex("brands_by_workspace").on(table.workspaceId, table.createdAt)],
);
