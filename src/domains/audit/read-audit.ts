import type { AuditType } from "#api/audit-types.ts";
import { LIMITS } from "#api/limits.ts";
import type { AuditEventView } from "#api/schemas/audit.ts";
import { toTimestamp } from "#platform/clock.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { toCsv } from "#platform/csv.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import { latest } from "#platform/db/reader.ts";
import {
  auditPage,
  deleteOldAudit,
  deleteOldMemberEvents,
  memberPage,
  moneyPage,
  type StoredAuditEvent,
} from "./audit-store.ts";

/**
 * Reads the audit log: events of the workspace's database, of its members in `DB`, and of its credits in the ledger.
 */

/** An event with the credits that it added (positive) or removed (negative); null for other events. */
type AuditEvent = StoredAuditEvent & { readonly credits: number | null };

/** The smallest id that an event of this time can have. */
const idAt = (timeMs: number): string => Math.max(0, timeMs).toString(16).padStart(12, "0");
const timeOf = (eventId: string): number => Number.parseInt(eventId.slice(0, 12), 16);
/** Larger than every id. */
const NEWEST = "g";
const LAST_MS = Number.MAX_SAFE_INTEGER;

/**
 * Extra ledger rows to read, because the events of the cursor's millisecond are filtered by id afterwards. A workspace
 * has fewer credit events, apart from those of jobs, in one millisecond.
 */
const MONEY_OF_TIME_MAX = 20;

const MONEY = { grant: "credits.added", adjustment: "credits.adjusted", expiry: "credits.expired" } as const;

type MoneyEvent = Awaited<ReturnType<typeof moneyPage.all>>[number];

/**
 * Whether a reference is of an operator's grant (`grantStatement`). All other references come from payments, trials and
 * expiries.
 */
const isOperators = (reference: string): boolean => /^workspace:[^:]+:grant:/.test(reference);

async function toAuditEvent({
  type,
  amount,
  reference,
  description,
  createdAt,
}: MoneyEvent): Promise<AuditEvent[]> {
  if (type === "consumption" || type === "refund") return [];
  const eventId = idAt(createdAt) + (await sha256Hex(reference)).slice(0, 20);
  const actor = { actorKind: isOperators(reference) ? "operator" : "system", actorId: null } as const;
  const unknownActor = { actorName: null, actorEmail: null, subjectId: null, requestId: null, detail: null };
  return [
    { ...unknownActor, ...actor, eventId, type: MONEY[type], subjectName: description, credits: amount },
  ];
}

/** Filters of the log; null for all types, and for the newest page. */
export interface AuditRequest {
  readonly type: AuditType | null;
  readonly before: string | null;
  readonly limit: number;
}

/**
 * A page of the last 400 days, newest first. The cursor is an event's id, which stays the same when the workspace
 * moves.
 */
export async function readAudit(
  { db, directory }: { readonly db: D1Database; readonly directory: D1Database },
  workspaceId: string,
  { type, before, limit }: AuditRequest,
  nowMs: number,
): Promise<Page<AuditEvent, string>> {
  const afterMs = nowMs - LIMITS.auditRetentionMs;
  const page = { workspaceId, type, after: idAt(afterMs), before: before ?? NEWEST, limit: limit + 1 };
  const [kind = null] = Object.entries(MONEY).find(([, shown]) => shown === type) ?? [];
  const untilMs = before === null ? LAST_MS : timeOf(before);
  const money = { workspaceId, type: type === null ? null : (kind ?? ""), afterMs, untilMs };
  const session = latest(db);
  const [[stored, ledger], people] = await Promise.all([
    session.batch([
      auditPage.bind(session, page),
      moneyPage.bind(session, { ...money, limit: limit + 1 + MONEY_OF_TIME_MAX }),
    ]),
    memberPage.all(latest(directory), page),
  ]);
  const ofMoney = (await Promise.all(moneyPage.rows(ledger).map(toAuditEvent))).flat();
  const others = [...auditPage.rows(stored), ...people].map((event) => ({ ...event, credits: null }));
  const found = [...others, ...ofMoney.filter(({ eventId }) => eventId < page.before)].toSorted(
    (one, other) => (one.eventId < other.eventId ? 1 : -1),
  );
  return toPage(found, limit, ({ eventId }) => eventId);
}

export const presentAuditEvent = (event: AuditEvent): AuditEventView => ({
  eventId: event.eventId,
  type: event.type,
  createdAt: toTimestamp(timeOf(event.eventId)),
  actor: { kind: event.actorKind, id: event.actorId, name: event.actorName, email: event.actorEmail },
  subject: { id: event.subjectId, name: event.subjectName },
  credits: event.credits,
  detail: event.detail,
  requestId: event.requestId,
});

const COLUMNS = [
  ...["createdAt", "type", "actor", "actorId", "actorName", "actorEmail"],
  ...["subjectId", "subjectName", "credits", "detail", "requestId", "eventId"],
];

/** A page as CSV, one event per line. */
export const auditCsv = ({ items }: Page<AuditEvent, string>): string =>
  toCsv(
    COLUMNS,
    items
      .map(presentAuditEvent)
      .map(({ actor, subject, ...event }) => [
        ...[
          event.createdAt,
          event.type,
          actor.kind,
          actor.id,
          actor.name,
          actor.email,
          subject.id,
          subject.name,
        ],
        ...[event.credits, event.detail, event.requestId, event.eventId],
      ]),
  );

/** Deletes at most `limit` old events of each table; returns how many. */
export async function deleteOldEvents(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const old = { before: idAt(nowMs - LIMITS.auditRetentionMs), limit };
  const results = await db.batch([deleteOldAudit.bind(db, old), deleteOldMemberEvents.bind(db, old)]);
  return results.reduce((count, { meta }) => count + meta.changes, 0);
}
