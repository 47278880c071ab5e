import type { z } from "zod";
import { accept, type Outcome, refuse, refuseMember } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { createShareReplyBody } from "#api/schemas/share.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import { artifactNotFound, requireReady } from "../artifacts/service.ts";
import { artifactById } from "../artifacts/store.ts";
import { auditRow, type Cause, type NewAuditEvent } from "../audit/audit-store.ts";
import { type Principal, refuseTestKey } from "../keys/principal.ts";
import { keyRevoked } from "../keys/service.ts";
import { assertKeyActive } from "../keys/store.ts";
import { senderOfKey } from "./mail-store.ts";
import { noShare } from "./share.ts";
import {
  auditClean,
  changeShare,
  commentsOfShare,
  insertShare,
  resolveComment,
  revokeShare,
  type Share,
  type ShareComment,
  type ShareId,
  sharesOfArtifact,
} from "./store.ts";
import { noComment, storeComment } from "./visits-and-approvals.ts";

/** Members' actions on share links. */

interface ShareRequest {
  readonly name: string;
  /** Unix ms; null for as long as the pack's files are kept. */
  readonly expiresAt: number | null;
  /** May be empty. */
  readonly message: string;
  /** Unix ms. */
  readonly dueAt: number | null;
  /** Shows the delivered files. Safe, because a link needs a ready pack, whose files are paid for. */
  readonly isClean: boolean;
}

/**
 * Creates a link to a ready pack; it expires with the files at the latest. INVALID_REQUEST for an expiry in the past,
 * 404 ARTIFACT_NOT_FOUND (also of a test job), 409 ARTIFACT_NOT_READY and SHARE_LIMIT_REACHED, 401 KEY_REVOKED for a
 * key that was revoked meanwhile.
 */
export async function createShare(
  db: D1Database,
  principal: Principal,
  artifactId: string,
  request: ShareRequest,
  cause: Cause,
): Promise<Outcome<Share>> {
  const testKey = refuseTestKey(principal);
  if (testKey !== null) return testKey;
  const { workspaceId, apiKeyId } = principal;
  const { nowMs } = cause;
  const { expiresAt } = request;
  if (expiresAt !== null && expiresAt <= nowMs) {
    return refuseMember("body", "expiresAt", "must be in the future");
  }
  const share = { ...request, shareId: newId(), workspaceId, artifactId, apiKeyId, createdAt: nowMs };
  try {
    const results = await db.batch([
      assertKeyActive.bind(db, { workspaceId, apiKeyId }),
      artifactById.bind(db, { workspaceId, artifactId, nowMs }),
      insertShare.bind(db, share),
      sharesOfArtifact.bind(db, share),
      auditClean.bind(db, { ...auditRow(cause, shareOpened(share)), isClean: true }),
    ]);
    const artifact = artifactById.row(results[1]);
    if (artifact === null || !artifact.livemode) return artifactNotFound();
    const ready = requireReady(artifact);
    if (!ready.ok) return ready;
    const made = sharesOfArtifact.row(results[3]);
    if (made !== null) return accept(made);
  } catch (thrown) {
    if (isGuardViolation(thrown, "key_active")) return keyRevoked();
    throw thrown;
  }
  return refuse("SHARE_LIMIT_REACHED", `A pack has at most ${LIMITS.sharesPerArtifactMax} share links.`);
}

/** The links to a pack, newest first, including revoked and expired ones. 404 ARTIFACT_NOT_FOUND. */
export async function listShares(
  db: D1Database,
  workspaceId: string,
  artifactId: string,
  nowMs: number,
): Promise<Outcome<readonly Share[]>> {
  const session = latest(db);
  const [artifact, found] = await session.batch([
    artifactById.bind(session, { workspaceId, artifactId, nowMs }),
    sharesOfArtifact.bind(session, { workspaceId, artifactId, shareId: null }),
  ]);
  return artifactById.row(artifact) === null ? artifactNotFound() : accept(sharesOfArtifact.rows(found));
}

const shareOpened = ({ workspaceId, shareId }: ShareId): NewAuditEvent => ({
  ...{ workspaceId, type: "share.opened", subjectId: shareId },
});

/** Undefined fields stay unchanged. */
interface ShareUpdate {
  readonly message: string | undefined;
  readonly dueAt: number | null | undefined;
  readonly isClean: boolean | undefined;
}

/** Changes a link's message, due time, or whether it shows clean files. 404 SHARE_NOT_FOUND. */
export async function updateShare(
  db: D1Database,
  id: ShareId,
  { message, dueAt, isClean }: ShareUpdate,
  cause: Cause,
): Promise<Outcome<Share>> {
  const changes = {
    message: message ?? null,
    changesDueAt: dueAt === undefined ? null : (1 as const),
    dueAt: dueAt ?? null,
    isClean: isClean === undefined ? null : isClean ? (1 as const) : (0 as const),
  };
  const opening = auditClean.bind(db, { ...auditRow(cause, shareOpened(id)), isClean: false });
  const results = await db.batch([
    ...(isClean === true ? [opening] : []),
    changeShare.bind(db, { ...id, ...changes }),
    sharesOfArtifact.bind(db, id),
  ]);
  const share = sharesOfArtifact.row(results.at(-1));
  return share === null ? noShare() : accept(share);
}

/** Ends a link at once; its comments stay. 404 SHARE_NOT_FOUND. */
export async function endShare(db: D1Database, id: ShareId, nowMs: number): Promise<Outcome<Share>> {
  const results = await db.batch([revokeShare.bind(db, { ...id, nowMs }), sharesOfArtifact.bind(db, id)]);
  const share = sharesOfArtifact.row(results[1]);
  return share === null ? noShare() : accept(share);
}

/**
 * Adds a member's comment or reply, under the name of the session's user or of the workspace. 404 SHARE_NOT_FOUND, and
 * the errors of `storeComment`.
 */
export async function commentAsMember(
  db: D1Database,
  { apiKeyId }: Principal,
  id: ShareId,
  { text, replyTo }: z.infer<typeof createShareReplyBody>,
  nowMs: number,
): Promise<Outcome<ShareComment>> {
  const session = latest(db);
  const [found, sender] = await session.batch([
    sharesOfArtifact.bind(session, id),
    senderOfKey.bind(session, { apiKeyId }),
  ]);
  if (sharesOfArtifact.row(found) === null) return noShare();
  const name = senderOfKey.row(sender)?.name ?? "";
  return storeComment(
    db,
    id.shareId,
    {
      ...{ commentId: newId(), fileId: null, name, text, verdict: null, createdAt: nowMs, fileVerdicts: {} },
      ...{ pinX: null, pinY: null, replyTo: replyTo ?? null, isMember: true, resolvedAt: null },
    },
    [],
  );
}

/** Resolves or reopens a comment. 404 SHARE_NOT_FOUND and COMMENT_NOT_FOUND. */
export async function resolveAsMember(
  db: D1Database,
  { commentId, ...id }: ShareId & { readonly commentId: string },
  isResolved: boolean,
  nowMs: number,
): Promise<Outcome<ShareComment>> {
  if ((await sharesOfArtifact.first(latest(db), id)) === null) return noShare();
  const resolvedAt = isResolved ? nowMs : null;
  const [resolved] = await resolveComment.all(db, { shareId: id.shareId, commentId, resolvedAt });
  return resolved === undefined ? noComment() : accept(resolved);
}

/** The comments of a link, oldest first. 404 SHARE_NOT_FOUND. */
export async function listComments(db: D1Database, id: ShareId): Promise<Outcome<readonly ShareComment[]>> {
  const session = latest(db);
  const [found, comments] = await session.batch([
    sharesOfArtifact.bind(session, id),
    commentsOfShare.bind(session, id),
  ]);
  return sharesOfArtifact.row(found) === null ? noShare() : accept(commentsOfShare.rows(comments));
}
