import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { AUDIT_ACTORS, AUDIT_TYPES } from "#api/audit-types.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/**
 * The audit log of a workspace. A row is written in the batch of its cause, never changed, and deleted after the
 * retention period.
 */

const columns = () => ({
  /** Twelve hex digits of the time in Unix ms, then twenty random digits, so that ids sort by time. */
  eventId: text("event_id").primaryKey(),
  workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
  type: text("type", { enum: AUDIT_TYPES }).notNull(),
  actorKind: text("actor_kind", { enum: AUDIT_ACTORS }).notNull(),
  /** Id of an account or a key. Its name and email address are copied when the event is written. */
  actorId: text("actor_id"),
  actorName: text("actor_name"),
  actorEmail: text("actor_email"),
  subjectId: text("subject_id"),
  subjectName: text("subject_name"),
  detail: text("detail"),
  requestId: text("request_id"),
});

/** Events of the workspace's own rows. Triggers write those of plans and access (migrations/0042). */
export const auditEvents = sqliteTable("audit_events", columns(), (table) => [
  index("audit_events_by_workspace").on(table.workspaceId, table.eventId),
  index("audit_events_by_type").on(table.workspaceId, table.type, table.eventId),
]);

/** Events of members; in `DB`, like the members. */
export const memberEvents = sqliteTable("member_events", columns(), (table) => [
  index("member_events_by_workspace").on(table.workspaceId, table.eventId),
]);
