import { and, asc, desc, eq, sql } from "drizzle-orm";
import {
  accountCredentials,
  accountEvents,
  accountSessions,
  accounts,
  workspaceMembers,
  workspaces,
} from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { resetByOperatorStatements } from "./password/reset-store.ts";
import { countedSessions, type PasswordReplacement, replacePassword } from "./store.ts";

/** SQL of an account's overview for operators, and of their actions on it. */

/** The account of an address in lower case; `passwordHash` is null without a password. */
export const accountForOperator = statement((given: Given<{ email: string }>) =>
  query
    .read(accounts, {
      ...pick(accounts, "accountId", "name", "email", "isEmailVerified"),
      createdAtMs: accounts.createdAt,
      passwordHash: accountCredentials.passwordHash,
    })
    .leftJoin(
      accountCredentials,
      and(
        eq(accountCredentials.accountId, accounts.accountId),
        eq(accountCredentials.providerId, "credential"),
      ),
    )
    .where(eq(accounts.email, given.email)),
);

/** An account and how it signs in. */
export type OperatedAccount = Readonly<RowOf<typeof accountForOperator>>;

const WORKSPACES_SHOWN_MAX = 100;
const EVENTS_SHOWN_MAX = 20;

const providers = statement((given: Given<{ accountId: string }>) =>
  query
    .from(accountCredentials, "providerId")
    .where(eq(accountCredentials.accountId, given.accountId))
    .orderBy(asc(accountCredentials.providerId)),
);

const sessionCount = statement((given: Given<{ accountId: string }>) =>
  query
    .read(accountSessions, { count: sql<number>`count(*)` })
    .where(eq(accountSessions.accountId, given.accountId)),
);

const memberships = statement((given: Given<{ accountId: string }>) =>
  query
    .read(workspaceMembers, {
      workspaceId: workspaces.workspaceId,
      name: workspaces.name,
      role: workspaceMembers.role,
    })
    .innerJoin(workspaces, eq(workspaces.workspaceId, workspaceMembers.workspaceId))
    .where(eq(workspaceMembers.accountId, given.accountId))
    .orderBy(asc(workspaces.createdAt))
    .limit(WORKSPACES_SHOWN_MAX),
);

const latestEvents = statement((given: Given<{ accountId: string }>) =>
  query
    .read(accountEvents, {
      type: accountEvents.type,
      sessionsEnded: accountEvents.sessionsEnded,
      createdAtMs: accountEvents.createdAt,
    })
    .where(eq(accountEvents.accountId, given.accountId))
    .orderBy(desc(accountEvents.eventNumber))
    .limit(EVENTS_SHOWN_MAX),
);

export interface AccountOverview {
  /** Names of providers; `credential` is a password. */
  readonly signsInWith: readonly string[];
  readonly sessions: number;
  readonly workspaces: readonly RowOf<typeof memberships>[];
  /** Newest first. */
  readonly events: readonly RowOf<typeof latestEvents>[];
}

/** An account for operators: how it signs in, its sessions, workspaces and latest events. */
export async function readOverview(db: D1Database, accountId: string): Promise<AccountOverview> {
  const results = await db.batch(
    [providers, sessionCount, memberships, latestEvents].map((part) => part.bind(db, { accountId })),
  );
  return {
    signsInWith: providers.rows(results[0]).map(({ providerId }) => providerId),
    sessions: sessionCount.row(results[1])?.count ?? 0,
    workspaces: memberships.rows(results[2]),
    events: latestEvents.rows(results[3]),
  };
}

const insertSessionsEvent = statement((given: Given<{ accountId: string; nowMs: number }>) =>
  query.insert(accountEvents).values({
    accountId: given.accountId,
    type: "sessions_ended",
    sessionsEnded: countedSessions(given.accountId),
    createdAt: given.nowMs,
  }),
);

const deleteAllSessions = statement((given: Given<{ accountId: string }>) =>
  query.delete(accountSessions).where(eq(accountSessions.accountId, given.accountId)),
);

/** Replaces an unchanged password, records the event and ends every session, all or nothing. */
export const resetPasswordStatements = (
  db: D1Database,
  reset: PasswordReplacement,
): D1PreparedStatement[] => [replacePassword.bind(db, reset), ...resetByOperatorStatements(db, reset)];

const insertConfirmedEvent = statement((given: Given<{ accountId: string; nowMs: number }>) =>
  query.insert(accountEvents).selecting(
    {
      accountId: given.accountId,
      type: "address_confirmed",
      sessionsEnded: sql`0`,
      createdAt: given.nowMs,
    },
    sql`from ${accounts} where ${accounts.accountId} = ${given.accountId} and ${accounts.isEmailVerified} = 0`,
  ),
);

const confirmAddress = statement((given: Given<{ accountId: string; nowMs: number }>) =>
  query
    .update(accounts)
    .set({ isEmailVerified: true, updatedAt: given.nowMs })
    .where(and(eq(accounts.accountId, given.accountId), eq(accounts.isEmailVerified, false))),
);

/** Confirms an unconfirmed address and records the event. Only the second statement changes a row of `accounts`. */
export const confirmAddressStatements = (
  db: D1Database,
  accountId: string,
  nowMs: number,
): D1PreparedStatement[] => [
  insertConfirmedEvent.bind(db, { accountId, nowMs }),
  confirmAddress.bind(db, { accountId, nowMs }),
];

/** Ends every session of an account and records the event. */
export const endAllSessionsStatements = (
  db: D1Database,
  accountId: string,
  nowMs: number,
): D1PreparedStatement[] => [
  insertSessionsEvent.bind(db, { accountId, nowMs }),
  deleteAllSessions.bind(db, { accountId }),
];
