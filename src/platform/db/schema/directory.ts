import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The directory's records of shards, so that requests need not query each shard. Only in `DB`; empty on a shard. */

export const shardStates = sqliteTable("shard_states", {
  home: text("home").primaryKey(),
  bytes: integer("bytes").notNull(),
  measuredAt: integer("measured_at").notNull(),
  /** The last workspace whose objects were listed; null once `workspace_objects` is complete for the shard. */
  listedUpTo: text("listed_up_to"),
});

/**
 * Workspaces of objects that requests may name without a workspace: the provider's payments and invoices, and share
 * links of moved workspaces.
 */
export const workspaceObjects = sqliteTable("workspace_objects", {
  objectId: text("object_id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
});
