import { and, desc, eq, gte, inArray, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { AUDIT_ACTORS, AuditType } from "#api/audit-types.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { accounts, apiKeys, auditEvents, ledgerEvents, memberEvents } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of the audit log. Each event is inserted in the batch of its cause, so that neither exists without the other. */

/** The requester, for the log. */
export interface Cause {
  readonly actor: { readonly kind: (typeof AUDIT_ACTORS)[number]; readonly id: string | null };
  readonly requestId: string | null;
  readonly nowMs: number;
}

/** The cause of a change without a request: an operator's command, or the service itself. */
export const causeOfService = (kind: "operator" | "system", nowMs: number): Cause => ({
  actor: { kind, id: null },
  requestId: null,
  nowMs,
});

/** A change and its subject. Never contains a secret, or a URL with one. */
export interface NewAuditEvent {
  readonly workspaceId: string;
  readonly type: AuditType;
  readonly subjectId: string;
  /** Required unless the subject is a key or an account, whose names are read from their rows. */
  readonly subjectName?: string;
  readonly detail?: string;
}

export const auditRow = ({ actor, requestId, nowMs }: Cause, event: NewAuditEvent) => ({
  ...{ workspaceId: event.workspaceId, type: event.type, subjectId: event.subjectId },
  ...{ actorKind: actor.kind, actorId: actor.id, requestId, nowMs },
  subjectName: event.subjectName ?? null,
  detail: event.detail ?? null,
});

type AuditValues = ReturnType<typeof auditRow>;

/** Aliased, because `id` may be a column of `api_keys` in the outer query. */
const named = alias(apiKeys, "named");
const nameOfKey = (id: SQL) =>
  sql`(select ${named.name} from ${apiKeys} as ${named} where ${named.apiKeyId} = ${id})`;
const ofAccount = (column: typeof accounts.name | typeof accounts.email, id: SQL) =>
  sql`(select ${column} from ${accounts} where ${accounts.accountId} = ${id})`;

/** Columns of an event. Names are copied, because keys are deleted later. */
const columnsOf = (given: Given<AuditValues>, subjectId: SQL) => ({
  eventId: sql`printf('%012x', ${given.nowMs}) || lower(hex(randomblob(10)))`,
  ...pick(given, "workspaceId", "type", "actorKind", "actorId", "requestId", "detail"),
  actorName: sql`coalesce(${nameOfKey(sql`${given.actorId}`)}, ${ofAccount(accounts.name, sql`${given.actorId}`)})`,
  actorEmail: ofAccount(accounts.email, sql`${given.actorId}`),
  subjectId,
  subjectName: sql`coalesce(${given.subjectName}, ${nameOfKey(subjectId)}, ${ofAccount(accounts.name, subjectId)})`,
});

/**
 * A statement that inserts an event if the condition is true at this point of the batch. Put it after a statement that
 * creates the subject, and before one that changes or deletes it.
 */
export const auditWhere = <More = object>(
  condition: (given: Given<AuditValues & More>) => SQL,
  table: typeof auditEvents | typeof memberEvents = auditEvents,
) =>
  statement((given: Given<AuditValues & More>) =>
    query.insert(table).selecting(columnsOf(given, sql`${given.subjectId}`), sql`where ${condition(given)}`),
  );

/** Inserts an event for each key that matches the condition. */
export const auditKeysWhere = <More>(condition: (given: Given<AuditValues & More>) => SQL | undefined) =>
  statement((given: Given<AuditValues & More>) =>
    query
      .insert(auditEvents)
      .selecting(columnsOf(given, sql`${apiKeys.apiKeyId}`), sql`from ${apiKeys} where ${condition(given)}`),
  );

interface PageValues {
  readonly workspaceId: string;
  readonly type: string | null;
  /** Bounds of the ids, both exclusive. */
  readonly after: string;
  readonly before: string;
  readonly limit: number;
}

const pageOfTable = (table: typeof auditEvents | typeof memberEvents) => (given: Given<PageValues>) =>
  query
    .read(table, {
      ...pick(table, "eventId", "type", "actorKind", "actorId", "actorName", "actorEmail"),
      ...pick(table, "subjectId", "subjectName", "detail", "requestId"),
    })
    .where(
      and(
        eq(table.workspaceId, given.workspaceId),
        or(isNull(given.type), eq(table.type, given.type)),
        sql`${table.eventId} > ${given.after} and ${table.eventId} < ${given.before}`,
      ),
    )
    .orderBy(desc(table.eventId))
    .limit(given.limit);

/**
 * A workspace's events from its own database, newest first. `memberPage` reads the events of its members, which are in
 * `DB`.
 */
export const auditPage = statement(pageOfTable(auditEvents));
export const memberPage = statement(pageOfTable(memberEvents));

export type StoredAuditEvent = RowOf<typeof auditPage>;

/** The ledger's grants, expiries and adjustments, newest first. */
export const moneyPage = statement(
  (
    given: Given<{
      workspaceId: string;
      type: string | null;
      afterMs: number;
      untilMs: number;
      limit: number;
    }>,
  ) =>
    query
      .from(ledgerEvents, "type", "amount", "reference", "description", "createdAt")
      .where(
        and(
          eq(ledgerEvents.workspaceId, given.workspaceId),
          inArray(ledgerEvents.type, ["grant", "expiry", "adjustment"]),
          or(isNull(given.type), eq(ledgerEvents.type, given.type)),
          gte(ledgerEvents.createdAt, given.afterMs),
          lte(ledgerEvents.createdAt, given.untilMs),
        ),
      )
      .orderBy(desc(ledgerEvents.createdAt))
      .limit(given.limit),
);

/** Deletes at most `limit` of the oldest events before an id. */
export const deleteOldAudit = statement((given: Given<{ before: string; limit: number }>) => {
  const isOld = and(lt(auditEvents.eventId, given.before), isNotMoving(auditEvents.workspaceId));
  return query.deleteFirst(auditEvents, auditEvents.eventId, isOld, auditEvents.eventId, given.limit);
});
export const deleteOldMemberEvents = statement((given: Given<{ before: string; limit: number }>) => {
  const isOld = lt(memberEvents.eventId, given.before);
  return query.deleteFirst(memberEvents, memberEvents.eventId, isOld, memberEvents.eventId, given.limit);
});
