import { sql } from "drizzle-orm";
import { check, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Always empty. A guard whose condition is false inserts its own name. The constraint below with that name rejects the
 * row, which rolls back the batch; see db/batch-guard.ts.
 */
export const batchGuards = sqliteTable("batch_guards", { violated: text("violated").notNull() }, (table) => [
  check("key_active", sql`${table.violated} <> 'key_active'`),
  check("membership_active", sql`${table.violated} <> 'membership_active'`),
  check("workspace_limit", sql`${table.violated} <> 'workspace_limit'`),
  check("job_preconditions", sql`${table.violated} <> 'job_preconditions'`),
  check("asset_limit", sql`${table.violated} <> 'asset_limit'`),
  check("upload_unchanged", sql`${table.violated} <> 'upload_unchanged'`),
  check("payment_unchanged", sql`${table.violated} <> 'payment_unchanged'`),
  check("key_budget", sql`${table.violated} <> 'key_budget'`),
  check("brand_writable", sql`${table.violated} <> 'brand_writable'`),
  check("import_held", sql`${table.violated} <> 'import_held'`),
]);
