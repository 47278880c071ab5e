import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { AUDIT_ACTORS, AUDIT_TYPES } from "#api/audit-types.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Who changed what in a workspace. Rows are written in the batch of their cause, never changed, and deleted in time. */

const columns = () => ({
  /** Twelve hex digits of its time in Unix ms, then twenty random ones: of two ids the later event has the larger. */
  eventId: text("event_id").primaryKey(),
  workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
  type: text("type", { enum: AUDIT_TYPES }).notNull(),
  actorKind: text("actor_kind", { enum: AUDIT_ACTORS }).notNull(),
  /** Of an account or a key. Its name and address are as they were then. */
  actorId: text("actor_id"),
  actorName: text("actor_name"),
  actorEmail: text("actor_email"),
  subjectId: text("subject_id"),
  subjectName: text("subject_name"),
  detail: text("detail"),
  requestId: text("request_id"),
});

/** Events of what lives with the workspace. Triggers write those of plans and access (migrations/0042). */
export const auditEvents = sqliteTable("audit_events", columns(), (table) => [
  index("audit_events_by_workspace").on(table.workspaceId, table.eventId),
  index("audit_events_by_type").on(table.workspaceId, table.type, table.eventId),
]);

/** Events of a workspace's people, in `DB` as those are. */
export const memberEvents = sqliteTable("member_events", columns(), (table) => [
  index("member_events_by_workspace").on(table.workspaceId, table.eventId),
]);
