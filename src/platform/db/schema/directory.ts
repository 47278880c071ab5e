import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What the directory (`DB`) knows of the shards, so that no request has to ask each of them. Empty on a shard. */

/** The state of each shard, written by its sweep. */
export const shardStates = sqliteTable("shard_states", {
  home: text("home").primaryKey(),
  bytes: integer("bytes").notNull(),
  measuredAt: integer("measured_at").notNull(),
  /** The last workspace whose objects were listed; null once `workspace_objects` has all objects of the shard. */
  listedUpTo: text("listed_up_to"),
});

/**
 * The workspace of an object that is named without it: payments and invoices of the payment provider, and share links of
 * workspaces that have moved.
 */
export const workspaceObjects = sqliteTable("workspace_objects", {
  objectId: text("object_id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
});
