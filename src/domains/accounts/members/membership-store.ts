import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { auditWhere } from "#domains/audit/audit-store.ts";
import { insertMailWhere } from "#domains/mail/outbox-store.ts";
import { DIRECTORY, readHome } from "#platform/databases/shard-name.ts";
import { guard } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import {
  accounts,
  artifacts,
  mailMessages,
  memberEvents,
  workspaceInvitations,
  workspaceMembers,
  workspaces,
} from "#platform/db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { type Membership, type Role, scopesOf } from "./membership.ts";

/** Inserts a member, in the batch that creates the workspace. */
export const insertMember = statement(
  (given: Given<{ workspaceId: string; accountId: string; role: Role; createdAt: number }>) =>
    query.insert(workspaceMembers).values(pick(given, "workspaceId", "accountId", "role", "createdAt")),
);

const membership = {
  ...pick(workspaceMembers, "workspaceId", "accountId", "role"),
  ...pick(workspaces, "suspendedAt", "home"),
  /** Whether the workspace's shard lacks the latest members. */
  isBehind:
    sql<boolean>`${workspaces.home} is not null and ${workspaces.peopleRevision} > ${workspaces.peopleMirrored}`.mapWith(
      Boolean,
    ),
};

const membershipById = statement((given: Given<{ workspaceId: string; accountId: string }>) =>
  query
    .read(workspaceMembers, membership)
    .innerJoin(workspaces, eq(workspaces.workspaceId, workspaceMembers.workspaceId))
    .where(matches(workspaceMembers, pick(given, "workspaceId", "accountId"))),
);

const membershipByArtifact = statement((given: Given<{ artifactId: string; accountId: string }>) =>
  query
    .read(artifacts, membership)
    .innerJoin(workspaceMembers, eq(workspaceMembers.workspaceId, artifacts.workspaceId))
    .innerJoin(workspaces, eq(workspaces.workspaceId, workspaceMembers.workspaceId))
    .where(and(eq(artifacts.artifactId, given.artifactId), eq(workspaceMembers.accountId, given.accountId))),
);

/** A membership in `DB`. For a workspace on a shard, only the shard knows whether it is suspended. */
export type StoredMembership = RowOf<typeof membershipById>;

export function toMembership({ suspendedAt, home, isBehind: _, ...member }: StoredMembership): Membership {
  const isSuspended = suspendedAt !== null;
  return {
    ...member,
    isSuspended,
    scopes: scopesOf(member.role, isSuspended),
    home: home === null ? DIRECTORY : readHome(home),
  };
}

/** The account's membership, or null if the workspace is missing or the account is not a member. */
export const findMembership = (
  db: D1Database,
  accountId: string,
  workspaceId: string,
): Promise<StoredMembership | null> => membershipById.first(latest(db), { workspaceId, accountId });

/** The account's membership in the workspace of an artifact in `DB`, or null when none of its workspaces has it. */
export const findMembershipByArtifact = (
  db: D1Database,
  accountId: string,
  artifactId: string,
): Promise<StoredMembership | null> => membershipByArtifact.first(latest(db), { artifactId, accountId });

export const workspacesOnShards = statement((given: Given<{ accountId: string; limit: number }>) =>
  query
    .read(workspaceMembers, { workspaceId: workspaces.workspaceId, home: sql<string>`${workspaces.home}` })
    .innerJoin(workspaces, eq(workspaces.workspaceId, workspaceMembers.workspaceId))
    .where(and(eq(workspaceMembers.accountId, given.accountId), isNotNull(workspaces.home)))
    .orderBy(asc(workspaces.workspaceId))
    .limit(given.limit),
);

/** The workspace of an artifact in this database, if it is in the JSON list `workspaceIds`. */
export const workspaceOfArtifact = statement((given: Given<{ artifactId: string; workspaceIds: string }>) =>
  query
    .from(artifacts, "workspaceId")
    .where(
      and(
        eq(artifacts.artifactId, given.artifactId),
        inArray(artifacts.workspaceId, sql`(select value from json_each(${given.workspaceIds}))`),
      ),
    ),
);

/** The start of a workspace's suspension, or null. Only the workspace's own database has it. */
export const suspension = statement((given: Given<{ workspaceId: string }>) =>
  query.from(workspaces, "suspendedAt").where(eq(workspaces.workspaceId, given.workspaceId)),
);

/** Fails its batch with `membership_active` when the account no longer has this role in the workspace. */
export const assertMembership = statement(
  (given: Given<{ workspaceId: string; accountId: string; role: Role }>) =>
    guard(
      "membership_active",
      sql`exists (select 1 from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${given.workspaceId}
        and ${workspaceMembers.accountId} = ${given.accountId} and ${workspaceMembers.role} = ${given.role})`,
    ),
);

/** Fails its batch with `workspace_limit` when the account is at its limit of owned workspaces or of memberships. */
export const assertWorkspaceLimit = statement(
  (given: Given<{ accountId: string; ownedMax: number; joinedMax: number }>) =>
    guard(
      "workspace_limit",
      sql`select count(*) < ${given.joinedMax} and coalesce(sum(${workspaceMembers.role} = 'owner'), 0) < ${given.ownedMax}
        from ${workspaceMembers} where ${workspaceMembers.accountId} = ${given.accountId}`,
    ),
);

/** The account's workspaces, newest first; only the one with `workspaceId` if that is not null. */
export const workspacesByAccount = statement(
  (given: Given<{ accountId: string; workspaceId: string | null; limit: number }>) =>
    query
      .read(workspaceMembers, {
        ...pick(workspaces, "workspaceId", "name", "createdAt"),
        role: workspaceMembers.role,
      })
      .innerJoin(workspaces, eq(workspaces.workspaceId, workspaceMembers.workspaceId))
      .where(
        and(
          eq(workspaceMembers.accountId, given.accountId),
          or(isNull(given.workspaceId), eq(workspaceMembers.workspaceId, given.workspaceId)),
        ),
      )
      .orderBy(desc(workspaces.createdAt), desc(workspaces.workspaceId))
      .limit(given.limit),
);

/** A workspace as one of its members sees it. */
export type JoinedWorkspace = Readonly<RowOf<typeof workspacesByAccount>>;

/** The members of a workspace in order of joining. */
export const membersByWorkspace = statement((given: Given<{ workspaceId: string; limit: number }>) =>
  query
    .read(workspaceMembers, {
      ...pick(accounts, "accountId", "name", "email"),
      role: workspaceMembers.role,
      createdAt: workspaceMembers.createdAt,
    })
    .innerJoin(accounts, eq(accounts.accountId, workspaceMembers.accountId))
    .where(eq(workspaceMembers.workspaceId, given.workspaceId))
    .orderBy(asc(workspaceMembers.createdAt), asc(accounts.accountId))
    .limit(given.limit),
);

export type StoredMember = Readonly<RowOf<typeof membersByWorkspace>>;

/** Removes a member; changes no row if the account is the owner or not a member. */
export const deleteMember = statement((given: Given<{ workspaceId: string; accountId: string }>) =>
  query
    .delete(workspaceMembers)
    .where(matches(workspaceMembers, { ...pick(given, "workspaceId", "accountId"), role: "member" })),
);

export const openInvitations = statement(
  (given: Given<{ workspaceId: string; nowMs: number; limit: number }>) =>
    query
      .from(workspaceInvitations, "invitationId", "createdAt", "expiresAt")
      .where(
        and(
          eq(workspaceInvitations.workspaceId, given.workspaceId),
          gt(workspaceInvitations.expiresAt, given.nowMs),
        ),
      )
      .orderBy(desc(workspaceInvitations.invitationId))
      .limit(given.limit),
);

export type StoredInvitation = Readonly<RowOf<typeof openInvitations>>;

/** Inserts an invitation while members and open invitations are fewer than `max`; changes no row otherwise. */
export const insertInvitation = statement(
  (given: Given<StoredInvitation & { workspaceId: string; codeHash: string; max: number }>) =>
    query.insert(workspaceInvitations).selecting(
      {
        ...pick(given, "invitationId", "workspaceId", "codeHash", "createdAt", "expiresAt"),
      },
      sql`where (select count(*) from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${given.workspaceId})
        + (select count(*) from ${workspaceInvitations} where ${workspaceInvitations.workspaceId} = ${given.workspaceId}
           and ${workspaceInvitations.expiresAt} > ${given.createdAt}) < ${given.max}`,
    ),
);

/** Withdraws an invitation; changes no row when the workspace has no invitation with this id. */
export const deleteInvitation = statement((given: Given<{ workspaceId: string; invitationId: string }>) =>
  query
    .delete(workspaceInvitations)
    .where(matches(workspaceInvitations, pick(given, "workspaceId", "invitationId"))),
);

/** Mails an invitation if it was inserted earlier in the batch. `cause` is its id. */
export const insertInvitationMail = insertMailWhere(
  (cause) =>
    sql`exists (select 1 from ${workspaceInvitations} where ${workspaceInvitations.invitationId} = ${cause})`,
);

/** Withdraws an invitation whose mail was not inserted earlier in the batch. */
export const deleteUnmailedInvitation = statement(
  (given: Given<{ invitationId: string; reference: string }>) =>
    query
      .delete(workspaceInvitations)
      .where(
        and(
          eq(workspaceInvitations.invitationId, given.invitationId),
          sql`not exists (select 1 from ${mailMessages} where ${mailMessages.reference} = ${given.reference})`,
        ),
      ),
);

/** Audit events of an open invitation, of an accepted one, and of a removed member who is not the owner. */
export const auditInvitation = auditWhere(
  (given) =>
    sql`exists (select 1 from ${workspaceInvitations} where ${workspaceInvitations.invitationId} = ${given.subjectId}
      and ${workspaceInvitations.workspaceId} = ${given.workspaceId})`,
  memberEvents,
);
export const auditJoining = auditWhere<{ codeHash: string }>(
  (given) =>
    sql`exists (select 1 from ${workspaceInvitations} where ${workspaceInvitations.codeHash} = ${given.codeHash}
      and ${workspaceInvitations.expiresAt} > ${given.nowMs})
      and not exists (select 1 from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${given.workspaceId}
        and ${workspaceMembers.accountId} = ${given.subjectId})`,
  memberEvents,
);
export const auditRemoval = auditWhere(
  (given) =>
    sql`exists (select 1 from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${given.workspaceId}
      and ${workspaceMembers.accountId} = ${given.subjectId} and ${workspaceMembers.role} = 'member')`,
  memberEvents,
);

/** Renames a workspace of this database; fails while the workspace is being moved to another database. */
export const renameAtHome = statement((given: Given<{ workspaceId: string; name: string }>) =>
  query
    .update(workspaces)
    .set({ name: given.name })
    .where(and(eq(workspaces.workspaceId, given.workspaceId), isNull(workspaces.home))),
);

/**
 * Renames the directory entry of a workspace on a shard; the mirror copies the name. Runs between `beginRow` and
 * `endCopying`, because triggers refuse other writes to directory entries.
 */
export const renameEntry = statement((given: Given<{ workspaceId: string; name: string }>) =>
  query
    .update(workspaces)
    .set({ name: given.name, peopleRevision: sql`${workspaces.peopleRevision} + 1` })
    .where(and(eq(workspaces.workspaceId, given.workspaceId), isNotNull(workspaces.home))),
);

export const workspaceName = statement((given: Given<{ workspaceId: string }>) =>
  query.from(workspaces, "name").where(eq(workspaces.workspaceId, given.workspaceId)),
);

/** The workspace of a valid invitation code. */
export const invitedWorkspace = statement((given: Given<{ codeHash: string; nowMs: number }>) =>
  query
    .from(workspaceInvitations, "workspaceId")
    .where(
      and(eq(workspaceInvitations.codeHash, given.codeHash), gt(workspaceInvitations.expiresAt, given.nowMs)),
    ),
);

/** Makes the account a member if the code is valid. Runs in one batch with `deleteUsedInvitation`. */
export const insertInvitedMember = statement(
  (given: Given<{ codeHash: string; accountId: string; nowMs: number }>) =>
    query
      .insert(workspaceMembers)
      .selecting(
        {
          workspaceId: workspaceInvitations.workspaceId,
          accountId: given.accountId,
          role: "member",
          createdAt: given.nowMs,
        },
        sql`from ${workspaceInvitations} where ${workspaceInvitations.codeHash} = ${given.codeHash}
          and ${workspaceInvitations.expiresAt} > ${given.nowMs}`,
      )
      .onConflictDoNothing(),
);

/** Deletes the invitation, so that a second account with the same code does not become a member. */
export const deleteUsedInvitation = statement((given: Given<{ codeHash: string }>) =>
  query.delete(workspaceInvitations).where(eq(workspaceInvitations.codeHash, given.codeHash)),
);
