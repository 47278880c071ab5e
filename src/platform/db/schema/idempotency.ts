import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Results of requests by Idempotency-Key. */

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    workspaceId: text("workspace_id").notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    /** Method and route, e.g. `POST /api/v1/jobs`. */
    operation: text("operation").notNull(),
    /** SHA-256 of method, path and canonical body, hex. */
    requestHash: text("request_hash").notNull(),
    /** Id of the created upload, asset or job. */
    resourceId: text("resource_id").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Null: never expires (jobs). */
    expiresAt: integer("expires_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.idempotencyKey] }),
    index("idempotency_keys_expiring").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
  ],
);
