import { and, asc, desc, eq, isNull, lte, type SQLWrapper, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import { auditWhere } from "#domains/audit/audit-store.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import {
  accountSessions,
  accounts,
  apiKeys,
  artifacts,
  assets,
  brands,
  jobs,
  shareComments,
  shares,
  workspaces,
} from "#platform/db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of share links and comments. Members' requests name the workspace; visitors' requests have a signed id. */

type Verdict = "approved" | "changes-requested";

type ArtifactId = { readonly workspaceId: string; readonly artifactId: string };

const latestVerdict = sql<Verdict | null>`(select ${shareComments.verdict} from ${shareComments}
  where ${shareComments.shareId} = ${shares.shareId} and ${shareComments.verdict} is not null
  order by ${shareComments.commentId} desc limit 1)`;

/** Columns of a share for members. */
const shown = {
  ...pick(shares, "shareId", "artifactId", "name", "createdAt", "expiresAt", "revokedAt"),
  ...pick(shares, "message", "dueAt", "isClean"),
  verdict: latestVerdict,
  commentCount: sql<number>`(select count(*) from ${shareComments} where ${shareComments.shareId} = ${shares.shareId})`,
};

/** A share of a workspace's pack. */
export type ShareId = ArtifactId & { readonly shareId: string };

interface NewShare extends ShareId {
  /** The API key that created the link. A session key's user gets an email about each verdict. */
  readonly apiKeyId: string;
  readonly name: string;
  readonly createdAt: number;
  /** Null for as long as the pack's files are kept. */
  readonly expiresAt: number | null;
  readonly message: string;
  readonly dueAt: number | null;
  readonly isClean: boolean;
}

/** The account of a session key; null for another key. */
const accountOfKey = (apiKeyId: SQLWrapper) =>
  sql<string | null>`(select ${accountSessions.accountId} from ${apiKeys}
    join ${accountSessions} on ${accountSessions.sessionId} = ${apiKeys.sessionId}
    where ${apiKeys.apiKeyId} = ${apiKeyId})`;

/**
 * Inserts a link to a live job's pack whose files are stored, while the pack is below its limit of links; changes no
 * row otherwise. The link expires with the files at the latest.
 */
export const insertShare = statement((given: Given<NewShare>) =>
  query.insert(shares).selecting(
    {
      ...pick(given, "shareId", "name", "createdAt", "message", "dueAt", "isClean"),
      ...pick(artifacts, "artifactId", "workspaceId"),
      createdBy: accountOfKey(given.apiKeyId),
      expiresAt: sql`min(cast(coalesce(${given.expiresAt}, ${artifacts.expiresAt}) as integer), ${artifacts.expiresAt})`,
    },
    sql`from ${artifacts} where ${artifacts.artifactId} = ${given.artifactId}
      and exists (select 1 from ${jobs} where ${jobs.jobId} = ${artifacts.jobId} and ${jobs.livemode} = 1)
      and ${artifacts.workspaceId} = ${given.workspaceId}
      and ${artifacts.status} = 'ready' and ${artifacts.expiresAt} > ${given.createdAt}
      and (select count(*) from ${shares} where ${shares.artifactId} = ${given.artifactId})
        < ${LIMITS.sharesPerArtifactMax}`,
  ),
);

/** The links to a pack, newest first, or one of them. */
export const sharesOfArtifact = statement((given: Given<ArtifactId & { shareId: string | null }>) =>
  query
    .read(shares, shown)
    .where(
      and(
        matches(shares, pick(given, "workspaceId", "artifactId")),
        sql`(${given.shareId} is null or ${shares.shareId} = ${given.shareId})`,
      ),
    )
    .orderBy(desc(shares.shareId))
    .limit(LIMITS.sharesPerArtifactMax),
);

export type Share = RowOf<typeof sharesOfArtifact>;

/** Changes to a link; null keeps the stored value. */
type ShareChanges = {
  readonly message: string | null;
  /** 1 to write `dueAt`, null to keep the stored one. */
  readonly changesDueAt: 1 | null;
  readonly dueAt: number | null;
  readonly isClean: 0 | 1 | null;
};

/** Changes a link; changes no row when the pack has none with this id. */
export const changeShare = statement((given: Given<ShareId & ShareChanges>) =>
  query
    .update(shares)
    .set({
      message: sql`coalesce(${given.message}, ${shares.message})`,
      dueAt: sql`case when ${given.changesDueAt} = 1 then ${given.dueAt} else ${shares.dueAt} end`,
      isClean: sql`coalesce(${given.isClean}, ${shares.isClean})`,
    })
    .where(matches(shares, pick(given, "workspaceId", "artifactId", "shareId"))),
);

/** An audit event of a link, if its `isClean` has this value at this point of the batch. */
export const auditClean = auditWhere<{ isClean: boolean }>(
  (given) =>
    sql`exists (select 1 from ${shares} where ${shares.workspaceId} = ${given.workspaceId}
      and ${shares.shareId} = ${given.subjectId} and ${shares.isClean} = ${given.isClean})`,
);

/** Revokes a link, unless it is revoked already; changes no row when the pack has none with this id. */
export const revokeShare = statement((given: Given<ShareId & { nowMs: number }>) =>
  query
    .update(shares)
    .set({ revokedAt: sql`coalesce(${shares.revokedAt}, ${given.nowMs})` })
    .where(matches(shares, pick(given, "workspaceId", "artifactId", "shareId"))),
);

/** The current logo of the pack's brand; without a brand logo, the logo of the order. */
const logoId = sql`coalesce(${brands.design} ->> '$.assetIds.logoOnLight', ${brands.design} ->> '$.assetIds.logoOnDark',
  ${jobs.assetIds} ->> '$.logo')`;

/** A share that was not revoked, in a workspace that is not suspended, with the data for visitors' requests. */
export const openShareById = statement((given: Given<{ shareId: string }>) =>
  query
    .read(shares, {
      ...pick(shares, "shareId", "workspaceId", "artifactId", "name", "createdAt", "expiresAt"),
      ...pick(shares, "message", "dueAt", "isClean"),
      senderName: sql<string | null>`${accounts.name}`.as("sender_name"),
      brandName: sql<string>`coalesce(${brands.name}, ${workspaces.name})`.as("brand_name"),
      logo: pick(assets, "objectKey", "mimeType", "sha256"),
      ...pick(jobs, "contractId", "motion"),
      files: artifacts.files,
      verdict: latestVerdict,
    })
    .innerJoin(artifacts, eq(artifacts.artifactId, shares.artifactId))
    .innerJoin(jobs, eq(jobs.jobId, artifacts.jobId))
    .innerJoin(workspaces, eq(workspaces.workspaceId, shares.workspaceId))
    .leftJoin(accounts, eq(accounts.accountId, shares.createdBy))
    .leftJoin(brands, and(eq(brands.brandId, jobs.brandId), eq(brands.workspaceId, jobs.workspaceId)))
    .leftJoin(
      assets,
      and(
        eq(assets.assetId, logoId),
        eq(assets.workspaceId, jobs.workspaceId),
        eq(assets.status, "ready"),
        isNull(assets.deletedAt),
      ),
    )
    .where(and(eq(shares.shareId, given.shareId), isNull(shares.revokedAt), isNull(workspaces.suspendedAt))),
);

export type OpenShare = RowOf<typeof openShareById>;

const COMMENT = [
  ...(["commentId", "fileId", "name", "text", "verdict", "createdAt"] as const),
  ...(["fileVerdicts", "pinX", "pinY", "replyTo", "isMember", "resolvedAt"] as const),
] as const;

/** The comments of a share, oldest first. */
export const commentsOfShare = statement((given: Given<{ shareId: string }>) =>
  query
    .read(shareComments, pick(shareComments, ...COMMENT))
    .where(eq(shareComments.shareId, given.shareId))
    .orderBy(asc(shareComments.commentId))
    .limit(LIMITS.commentsPerShareMax),
);

export type ShareComment = RowOf<typeof commentsOfShare>;

export const commentCount = statement((given: Given<{ shareId: string }>) =>
  query.read(shareComments, { count: sql<number>`count(*)` }).where(eq(shareComments.shareId, given.shareId)),
);

/** The comment to reply to, if it is not itself a reply. */
const repliedComment = (given: Given<{ shareId: string; replyTo: string | null }>) => sql`select 1
  from ${shareComments} as replied where replied.comment_id = ${given.replyTo}
    and replied.share_id = ${given.shareId} and replied.reply_to is null`;

/** Resolves or reopens a comment that is not a reply; changes no row when the link has none with this id. */
export const resolveComment = statement(
  (given: Given<{ shareId: string; commentId: string; resolvedAt: number | null }>) =>
    query
      .update(shareComments)
      .set({ resolvedAt: given.resolvedAt })
      .where(and(matches(shareComments, pick(given, "shareId", "commentId")), isNull(shareComments.replyTo)))
      .returning(pick(shareComments, ...COMMENT)),
);

/**
 * Inserts a comment while the share is open and below its limit, and its workspace is active. A reply needs a comment
 * of the share that is not a reply. Changes no row otherwise.
 */
export const insertComment = statement((given: Given<ShareComment & { shareId: string }>) =>
  query.insert(shareComments).selecting(
    {
      ...pick(given, ...COMMENT),
      shareId: shares.shareId,
    },
    sql`from ${shares} join ${workspaces} on ${workspaces.workspaceId} = ${shares.workspaceId}
      where ${shares.shareId} = ${given.shareId} and ${workspaces.suspendedAt} is null
      and ${shares.revokedAt} is null and ${shares.expiresAt} > ${given.createdAt}
      and (${given.replyTo} is null or exists (${repliedComment(given)}))
      and (select count(*) from ${shareComments} where ${shareComments.shareId} = ${given.shareId})
        < ${LIMITS.commentsPerShareMax}`,
  ),
);

type Sweep = { readonly endedMs: number; readonly limit: number };

/** Shares that expired before a time, oldest first. */
const endedShares = (given: Given<Sweep>) =>
  query
    .from(shares, "shareId")
    .where(and(lte(shares.expiresAt, given.endedMs), isNotMoving(shares.workspaceId)))
    .orderBy(shares.expiresAt)
    .limit(given.limit);

const deleteEndedComments = statement((given: Given<Sweep>) =>
  query.delete(shareComments).where(sql`${shareComments.shareId} in (${endedShares(given)})`),
);

const deleteEndedShares = statement((given: Given<Sweep>) =>
  query.delete(shares).where(sql`${shares.shareId} in (${endedShares(given)})`),
);

/**
 * Deletes at most `limit` shares that expired more than `shareRetentionMs` ago, with their comments. Returns how many
 * shares.
 */
export async function deleteOldShares(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const sweep = { endedMs: nowMs - LIMITS.shareRetentionMs, limit };
  const [, deleted] = await db.batch([
    deleteEndedComments.bind(db, sweep),
    deleteEndedShares.bind(db, sweep),
  ]);
  return deleted?.meta.changes ?? 0;
}
