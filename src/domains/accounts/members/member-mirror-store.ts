import { and, asc, desc, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { guard } from "#platform/db/batch-guard.ts";
import { accountSessions, accounts, workspaceMembers, workspaces } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL that mirrors members and workspace names from `DB` to shards. Reads are from `DB`, writes go to a shard. */

/** Directory entries whose shard lacks the latest members, or the workspace itself. */
export const entriesToMirror = statement((given: Given<{ first: string | null; limit: number }>) =>
  query
    .from(workspaces, "workspaceId")
    .where(and(isNotNull(workspaces.home), sql`${workspaces.peopleRevision} > ${workspaces.peopleMirrored}`))
    .orderBy(desc(sql`${workspaces.workspaceId} = ${given.first}`), asc(workspaces.workspaceId))
    .limit(given.limit),
);

export const directoryEntry = statement((given: Given<{ workspaceId: string }>) =>
  query
    .from(workspaces, "workspaceId", "name", "kind", "createdAt", "expiresAt", "home", "peopleRevision")
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);

export type DirectoryEntry = RowOf<typeof directoryEntry>;

/** A workspace's members with their mirrored columns, at most `limit`. */
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

export const mirroredMembers = statement((given: Given<{ workspaceId: string; limit: number }>) =>
  query
    .from(workspaceMembers, "accountId")
    .where(eq(workspaceMembers.workspaceId, given.workspaceId))
    .limit(given.limit),
);

/** Creates the workspace on its shard if missing. */
export const insertMirroredWorkspace = statement(
  (given: Given<Pick<DirectoryEntry, "workspaceId" | "name" | "kind" | "createdAt" | "expiresAt">>) =>
    query
      .insert(workspaces)
      .selecting(
        pick(given, "workspaceId", "name", "kind", "createdAt", "expiresAt"),
        sql`where not exists (select 1 from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId})`,
      ),
);

/** Copies the name to the shard. Must run between `beginRow` and `endCopying`, because the workspace may be moving. */
export const setMirroredName = statement((given: Given<Pick<DirectoryEntry, "workspaceId" | "name">>) =>
  query
    .update(workspaces)
    .set({ name: given.name })
    .where(and(eq(workspaces.workspaceId, given.workspaceId), ne(workspaces.name, given.name))),
);

type Revision = { readonly workspaceId: string; readonly revision: number };

/** Records the revision of the members on the shard; never lowers it. */
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

/** Fails its batch with `membership_active` when the shard already has a newer revision. */
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
 * Clears mirrored addresses that now belong to one of the copied members. The accounts that had them get their new
 * addresses when their own workspaces are mirrored.
 */
export const clearReassignedAddresses = statement(
  (given: Given<People>) =>
    sql`update ${accounts} set email = account_id || '@changed.invalid' where exists (select 1 from json_each(${given.people}) p where ${member("email")} = ${accounts.email}
        and ${member("accountId")} <> ${accounts.accountId})`,
);

/** Writes the members' accounts. */
export const upsertMirroredAccounts = statement(
  (given: Given<People & { nowMs: number }>) =>
    sql`insert into ${accounts} (account_id, name, email, is_email_verified, language, created_at, updated_at)
      select ${member("accountId")}, ${member("name")}, ${member("email")}, ${member("isEmailVerified")},
        ${member("language")}, cast(${given.nowMs} as integer), cast(${given.nowMs} as integer)
      from json_each(${given.people}) p where true
      on conflict (account_id) do update set name = excluded.name, email = excluded.email,
        is_email_verified = excluded.is_email_verified, language = excluded.language, updated_at = excluded.updated_at`,
);

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

/** Records in the directory that the shard has these members. */
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

export const shardsOfAccount = statement((given: Given<{ accountId: string }>) =>
  query
    .read(workspaceMembers, { home: sql<string>`${workspaces.home}` })
    .innerJoin(workspaces, eq(workspaces.workspaceId, workspaceMembers.workspaceId))
    .where(and(eq(workspaceMembers.accountId, given.accountId), isNotNull(workspaces.home)))
    .groupBy(workspaces.home),
);

export const mirroredSessions = statement((given: Given<{ accountId: string }>) =>
  query.from(accountSessions, "sessionId").where(eq(accountSessions.accountId, given.accountId)),
);

const isSessionIn = (given: Given<{ sessionIds: string }>) =>
  inArray(accountSessions.sessionId, sql`(select value from json_each(${given.sessionIds}))`);

/** The sessions in the JSON list `sessionIds` that have not ended. */
export const activeSessions = statement((given: Given<{ sessionIds: string }>) =>
  query.from(accountSessions, "sessionId").where(isSessionIn(given)),
);

/** Deletes ended sessions from a shard. `sessionIds` is a JSON list. */
export const deleteMirroredSessions = statement((given: Given<{ sessionIds: string }>) =>
  query.delete(accountSessions).where(isSessionIn(given)),
);
