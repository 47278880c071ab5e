import { and, eq, sql } from "drizzle-orm";
import {
  accountSessions,
  accounts,
  apiKeys,
  artifacts,
  jobs,
  shareComments,
  shares,
  workspaceMembers,
  workspaces,
} from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { insertMailWhere } from "../mail/outbox-store.ts";

/** The sender of a link: a session key's user, otherwise the workspace. */
export const senderOfKey = statement((given: Given<{ apiKeyId: string }>) =>
  query
    .read(apiKeys, { name: sql<string>`coalesce(${accounts.name}, ${workspaces.name})` })
    .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
    .leftJoin(accountSessions, eq(accountSessions.sessionId, apiKeys.sessionId))
    .leftJoin(accounts, eq(accounts.accountId, accountSessions.accountId))
    .where(eq(apiKeys.apiKeyId, given.apiKeyId)),
);

/** The contract of an artifact's pack. */
export const contractOfArtifact = statement((given: Given<{ artifactId: string }>) =>
  query
    .read(artifacts, { contractId: jobs.contractId })
    .innerJoin(jobs, eq(jobs.jobId, artifacts.jobId))
    .where(eq(artifacts.artifactId, given.artifactId)),
);

/**
 * The user who created a link. No row unless the user is still a member of the workspace and has a confirmed address.
 */
export const creatorOfShare = statement((given: Given<{ shareId: string }>) =>
  query
    .read(shares, {
      ...pick(accounts, "email", "language"),
      ...pick(shares, "workspaceId", "artifactId", "name"),
    })
    .innerJoin(accounts, eq(accounts.accountId, shares.createdBy))
    .innerJoin(
      workspaceMembers,
      and(
        eq(workspaceMembers.workspaceId, shares.workspaceId),
        eq(workspaceMembers.accountId, accounts.accountId),
      ),
    )
    .where(and(eq(shares.shareId, given.shareId), eq(accounts.isEmailVerified, true))),
);

/** Mails a verdict if its comment was inserted earlier in the batch. `cause` is the comment's id. */
export const insertVerdictMail = insertMailWhere(
  (cause) => sql`exists (select 1 from ${shareComments} where ${shareComments.commentId} = ${cause})`,
);
