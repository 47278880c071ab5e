import type { Role } from "./membership.ts";
import { type PasswordChange, replacePasswordStatement } from "./store.ts";

/** SQL of what operators see of accounts and do to them. */

/** An account and what it signs in with. */
export interface AccountSign {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly createdAtMs: number;
  /** Null where it has no password. */
  readonly passwordHash: string | null;
}

/** The account of an address in lower case, or null. */
export const findAccountByEmail = (db: D1Database, email: string): Promise<AccountSign | null> =>
  db
    .withSession("first-primary")
    .prepare(
      `SELECT a.account_id AS accountId, a.name, a.email, a.created_at AS createdAtMs,
         (SELECT password_hash FROM account_credentials c
          WHERE c.account_id = a.account_id AND c.provider_id = 'credential') AS passwordHash
       FROM accounts a WHERE a.email = ?1`,
    )
    .bind(email)
    .first<AccountSign>();

export interface AccountEvent {
  readonly type: "password_reset" | "sessions_ended";
  readonly sessionsEnded: number;
  readonly createdAtMs: number;
}

export interface AccountOverview {
  /** `credential` is a password. */
  readonly signsInWith: readonly string[];
  readonly sessions: number;
  readonly workspaces: readonly {
    readonly workspaceId: string;
    readonly name: string;
    readonly role: Role;
  }[];
  /** Newest first. */
  readonly events: readonly AccountEvent[];
}

const WORKSPACES_SHOWN_MAX = 100;
const EVENTS_SHOWN_MAX = 20;

export async function findOverview(db: D1Database, accountId: string): Promise<AccountOverview> {
  const ask = (sql: string, ...more: readonly number[]) => db.prepare(sql).bind(accountId, ...more);
  const [providers, sessions, workspaces, events] = await Promise.all([
    ask("SELECT provider_id AS id FROM account_credentials WHERE account_id = ?1 ORDER BY provider_id").all<{
      id: string;
    }>(),
    ask("SELECT COUNT(*) AS count FROM account_sessions WHERE account_id = ?1").first<number>("count"),
    ask(
      `SELECT w.workspace_id AS workspaceId, w.name, m.role FROM workspace_members m
       JOIN workspaces w ON w.workspace_id = m.workspace_id WHERE m.account_id = ?1
       ORDER BY w.created_at LIMIT ?2`,
      WORKSPACES_SHOWN_MAX,
    ).all<AccountOverview["workspaces"][number]>(),
    ask(
      `SELECT type, sessions_ended AS sessionsEnded, created_at AS createdAtMs FROM account_events
       WHERE account_id = ?1 ORDER BY event_number DESC LIMIT ?2`,
      EVENTS_SHOWN_MAX,
    ).all<AccountEvent>(),
  ]);
  return {
    signsInWith: providers.results.map(({ id }) => id),
    sessions: sessions ?? 0,
    workspaces: workspaces.results,
    events: events.results,
  };
}

/** Notes what is done to an account whose sessions end by it; before they do, for it counts them. */
const eventStatement = (
  db: D1Database,
  accountId: string,
  type: AccountEvent["type"],
  nowMs: number,
  onlyWithHash: string | null,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO account_events (account_id, type, sessions_ended, created_at)
       SELECT ?1, ?2, (SELECT COUNT(*) FROM account_sessions WHERE account_id = ?1), ?3
       WHERE ?4 IS NULL OR EXISTS (
         SELECT 1 FROM account_credentials WHERE account_id = ?1 AND password_hash = ?4)`,
    )
    .bind(accountId, type, nowMs, onlyWithHash);

/** Replaces a password that is still the old one, notes it, and ends every session: the three or none. */
export const resetPasswordStatements = (db: D1Database, change: PasswordChange): D1PreparedStatement[] => [
  replacePasswordStatement(db, change),
  eventStatement(db, change.accountId, "password_reset", change.nowMs, change.newHash),
  db
    .prepare(
      `DELETE FROM account_sessions WHERE account_id = ?1 AND EXISTS (
         SELECT 1 FROM account_credentials WHERE account_id = ?1 AND password_hash = ?2)`,
    )
    .bind(change.accountId, change.newHash),
];

/** Ends every session of an account, and notes it. */
export const endAllSessionsStatements = (
  db: D1Database,
  accountId: string,
  nowMs: number,
): D1PreparedStatement[] => [
  eventStatement(db, accountId, "sessions_ended", nowMs, null),
  db.prepare("DELETE FROM account_sessions WHERE account_id = ?1").bind(accountId),
];
