import { and, asc, desc, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { guard } from "#platform/db/batch-guard.ts";
import { accountSessions, accounts, workspaceMembers, workspaces } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/**
 * SQL of the mirror of people on shards, and of the name that they gave their workspace. What is read of `DB` is the truth;
 * what is written is on a shard.
 */

/** Entries of the directory whose shard does not have the latest people, or not even the workspace. */
export const entriesToMirror = statement((given: Given<{ first: string | null; limit: number }>) =>
  query
    .from(workspaces, "workspaceId")
    .where(and(isNotNull(workspaces.home), sql`${workspaces.peopleRevision} > ${workspaces.peopleMirrored}`))
    .orderBy(desc(sql`${workspaces.workspaceId} = ${given.first}`), asc(workspaces.workspaceId))
    .limit(given.limit),
);

/** The directory's entry of a workspace. */
export const directoryEntry = statement((given: Given<{ workspaceId: string }>) =>
  query
    .from(workspaces, "workspaceId", "name", "kind", "createdAt", "expiresAt", "home", "peopleRevision")
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);

export type DirectoryEntry = RowOf<typeof directoryEntry>;

/** Its people with what a shard has of them, at most `limit`. */
export const peopleOfWorkspace = statement((given: Given<{ workspaceId: string; limit: number }>) =>
  query
    .read(workspaceMembers, {
      ...pick(accounts, "accountId", "name", "email", "isEmailVerified", "language"),
      role: workspaceMembers.role,
      joinedAt: workspaceMembers.createdAt,
    })
    .innerJoin(accounts, eq(accounts.accountId, workspaceMembers.accountId))
    .where(eq(workspaceMembers.workspaceId, given.workspaceId))
    .orderBy(asc(accounts.accountId))
    .limit(given.limit),
);

/** Members of a workspace by the mirror. */
export const mirroredMembers = statement((given: Given<{ workspaceId: string; limit: number }>) =>
  query
    .from(workspaceMembers, "accountId")
    .where(eq(workspaceMembers.workspaceId, given.workspaceId))
    .limit(given.limit),
);

/** Makes the workspace on its shard, where it is not there yet. */
export const insertMirroredWorkspace = statement(
  (given: Given<Pick<DirectoryEntry, "workspaceId" | "name" | "kind" | "createdAt" | "expiresAt">>) =>
    query
      .insert(workspaces)
      .selecting(
        pick(given, "workspaceId", "name", "kind", "createdAt", "expiresAt"),
        sql`where not exists (select 1 from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId})`,
      ),
);

/** Names the workspace on its shard as the directory does. Between `beginRow` and `endCopying`: it may be moving. */
export const setMirroredName = statement((given: Given<Pick<DirectoryEntry, "workspaceId" | "name">>) =>
  query
    .update(workspaces)
    .set({ name: given.name })
    .where(and(eq(workspaces.workspaceId, given.workspaceId), ne(workspaces.name, given.name))),
);

type Revision = { readonly workspaceId: string; readonly revision: number };

/** Notes on the shard which change of the people it is brought up to; an earlier one than it has changes nothing. */
export const setMirroredRevision = statement((given: Given<Revision>) =>
  query
    .update(workspaces)
    .set({ peopleRevision: given.revision })
    .where(
      and(
        eq(workspaces.workspaceId, given.workspaceId),
        sql`${workspaces.peopleRevision} <= ${given.revision}`,
      ),
    ),
);

/** Fails its batch, with `membership_active`, where the shard had later people than `setMirroredRevision` would note. */
export const assertMirroredRevision = statement((given: Given<Revision>) =>
  guard(
    "membership_active",
    sql`exists (select 1 from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId}
      and ${workspaces.peopleRevision} = ${given.revision})`,
  ),
);

/** Rows of `peopleOfWorkspace` as JSON. */
type People = { readonly people: string };

const member = (name: string) => sql.raw(`json_extract(p.value, '$.${name}')`);

/**
 * Takes an address from an account that has another one by now, where somebody else has it: the mirror of that account
 * follows with its own workspaces.
 */
export const freeAddresses = statement(
  (given: Given<People>) =>
    sql`update ${accounts} set email = account_id || '@changed.invalid' where exists (select 1 from json_each(${given.people}) p where ${member("email")} = ${accounts.email}
        and ${member("accountId")} <> ${accounts.accountId})`,
);

/** Writes the accounts of the people as they are. */
export const upsertMirroredAccounts = statement(
  (given: Given<People & { nowMs: number }>) =>
    sql`insert into ${accounts} (account_id, name, email, is_email_verified, language, created_at, updated_at)
      select ${member("accountId")}, ${member("name")}, ${member("email")}, ${member("isEmailVerified")},
        ${member("language")}, cast(${given.nowMs} as integer), cast(${given.nowMs} as integer)
      from json_each(${given.people}) p where true
      on conflict (account_id) do update set name = excluded.name, email = excluded.email,
        is_email_verified = excluded.is_email_verified, language = excluded.language, updated_at = excluded.updated_at`,
);

/** Takes out of the mirror who is no member any more. */
export const deleteMirroredMembers = statement(
  (given: Given<People & { workspaceId: string }>) =>
    sql`delete from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${given.workspaceId}
      and ${workspaceMembers.accountId} not in (select ${member("accountId")} from json_each(${given.people}) p)`,
);

export const upsertMirroredMembers = statement(
  (given: Given<People & { workspaceId: string }>) =>
    sql`insert into ${workspaceMembers} (workspace_id, account_id, role, created_at)
      select ${given.workspaceId}, ${member("accountId")}, ${member("role")}, ${member("joinedAt")}
      from json_each(${given.people}) p where true
      on conflict (workspace_id, account_id) do update set role = excluded.role`,
);

/** Notes in the directory that the shard has these people. */
export const markMirrored = statement((given: Given<Revision & { home: string }>) =>
  query
    .update(workspaces)
    .set({ peopleMirrored: given.revision })
    .where(
      and(
        eq(workspaces.workspaceId, given.workspaceId),
        eq(workspaces.home, given.home),
        sql`${workspaces.peopleMirrored} < ${given.revision}`,
      ),
    ),
);

/** The shards on which an account has workspaces. */
export const shardsOfAccount = statement((given: Given<{ accountId: string }>) =>
  query
    .read(workspaceMembers, { home: sql<string>`${workspaces.home}` })
    .innerJoin(workspaces, eq(workspaces.workspaceId, workspaceMembers.workspaceId))
    .where(and(eq(workspaceMembers.accountId, given.accountId), isNotNull(workspaces.home)))
    .groupBy(workspaces.home),
);

/** An account's sessions that a shard has a mirror of. */
export const mirroredSessions = statement((given: Given<{ accountId: string }>) =>
  query.from(accountSessions, "sessionId").where(eq(accountSessions.accountId, given.accountId)),
);

const isSessionIn = (given: Given<{ sessionIds: string }>) =>
  inArray(accountSessions.sessionId, sql`(select value from json_each(${given.sessionIds}))`);

/** Those of some sessions that have not ended. `sessionIds` is a JSON list. */
export const standingSessions = statement((given: Given<{ sessionIds: string }>) =>
  query.from(accountSessions, "sessionId").where(isSessionIn(given)),
);

/** On a shard: these sessions have ended. `sessionIds` is a JSON list. */
export const deleteMirroredSessions = statement((given: Given<{ sessionIds: string }>) =>
  query.delete(accountSessions).where(isSessionIn(given)),
);
