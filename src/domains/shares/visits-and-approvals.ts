import type { z } from "zod";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { CreateShareComment, resolveOwnCommentBody } from "#api/schemas/share.ts";
import type { LinkKeys } from "#platform/bindings/capabilities.ts";
import { readToken, signToken } from "#platform/crypto/signed-token.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import type { ArtifactFile } from "../artifacts/artifact.ts";
import { insertCommentMessages } from "../deliveries/webhook/share-message.ts";
import { verdictMailStatements } from "./mail-share.ts";
import { presentComment, stillsOf, type VisitedPack } from "./share.ts";
import { readShareToken, type SignedShare } from "./share-token.ts";
import {
  commentCount,
  commentsOfShare,
  insertComment,
  type OpenShare,
  openShareById,
  resolveComment,
  type ShareComment,
} from "./store.ts";

/** A visitor's actions on a share link: view the pack, comment, approve or request changes. */

const closed = () =>
  refuse("LINK_INVALID", "The link is altered or incomplete, or it has ended.", {
    nextAction: "Ask the sender of the link for a new one.",
  });

/** The share in a link's token. 403 LINK_INVALID when altered or expired. */
export async function readShareLink(
  keys: LinkKeys,
  token: string,
  nowMs: number,
): Promise<Outcome<SignedShare>> {
  const share = await readShareToken(keys, token, nowMs);
  return share === null ? closed() : accept(share);
}

const isOpen = (share: OpenShare | null, nowMs: number): share is OpenShare =>
  share !== null && share.expiresAt > nowMs;

/** The pack of a link. 403 LINK_INVALID for a revoked or expired link, and in a suspended workspace. */
export async function visitShare(
  db: D1Database,
  shareId: string,
  nowMs: number,
): Promise<Outcome<VisitedPack>> {
  const session = latest(db);
  const [found, comments] = await session.batch([
    openShareById.bind(session, { shareId }),
    commentsOfShare.bind(session, { shareId }),
  ]);
  const share = openShareById.row(found);
  if (!isOpen(share, nowMs)) return closed();
  return accept({ share, comments: commentsOfShare.rows(comments) });
}

/** Like `visitShare`, without the pack. */
async function readOpenShare(db: D1Database, shareId: string, nowMs: number): Promise<Outcome<OpenShare>> {
  const share = await openShareById.first(latest(db), { shareId });
  return isOpen(share, nowMs) ? accept(share) : closed();
}

/** A static file of a link's pack. Errors of `visitShare`, and 404 FILE_NOT_FOUND. */
export async function visitFile(
  db: D1Database,
  shareId: string,
  fileId: string,
  nowMs: number,
): Promise<Outcome<{ readonly share: OpenShare; readonly file: ArtifactFile }>> {
  const share = await readOpenShare(db, shareId, nowMs);
  if (!share.ok) return share;
  const file = stillsOf(share.value).find((still) => still.fileId === fileId);
  return file === undefined ? noFile() : accept({ share: share.value, file });
}

/** The logo of a link's page. Errors of `visitShare`, and 404 FILE_NOT_FOUND when there is no logo. */
export async function visitLogo(
  db: D1Database,
  shareId: string,
  nowMs: number,
): Promise<Outcome<NonNullable<OpenShare["logo"]> & { readonly sha256: string }>> {
  const share = await readOpenShare(db, shareId, nowMs);
  if (!share.ok) return share;
  const { logo } = share.value;
  const sha256 = logo?.sha256;
  // A ready asset has a hash.
  return logo && sha256 ? accept({ ...logo, sha256 }) : noLogo();
}

export const noLogo = () => refuse("FILE_NOT_FOUND", "The pack's brand has no logo.");

const noFile = () =>
  refuse("FILE_NOT_FOUND", "The pack has no still with this id.", {
    nextAction: "Read the shared pack and use one of its file ids.",
  });

/**
 * Inserts a visitor's comment with its webhook messages and, if mail is configured, a mail about a verdict to the
 * link's creator. Errors of `visitFile`, and 404 COMMENT_NOT_FOUND, 409 COMMENT_LIMIT_REACHED.
 */
export async function comment(
  db: D1Database,
  shareId: string,
  request: CreateShareComment,
  { isMailed, nowMs }: { readonly isMailed: boolean; readonly nowMs: number },
): Promise<Outcome<ShareComment>> {
  const share = await readOpenShare(db, shareId, nowMs);
  if (!share.ok) return share;
  const { name, text = "", verdict = null, fileVerdicts = [], fileId = null, pin = null } = request;
  const named = [...(fileId === null ? [] : [fileId]), ...fileVerdicts.map((one) => one.fileId)];
  const stills = new Set(stillsOf(share.value).map((still) => still.fileId));
  if (!named.every((one) => stills.has(one))) return noFile();
  const said: ShareComment = {
    ...{ commentId: newId(), fileId, name, text, verdict, createdAt: nowMs },
    fileVerdicts: Object.fromEntries(fileVerdicts.map((one) => [one.fileId, one.verdict])),
    ...{ pinX: pin?.x ?? null, pinY: pin?.y ?? null, replyTo: request.replyTo ?? null },
    ...{ isMember: false, resolvedAt: null },
  };
  const message = { commentId: said.commentId, shown: JSON.stringify(presentComment(said)), nowMs };
  return storeComment(db, shareId, said, [
    insertCommentMessages.bind(db, message),
    ...(isMailed ? await verdictMailStatements(db, share.value, said) : []),
  ]);
}

/**
 * Inserts a comment in one batch with its consequences. 403 LINK_INVALID for a revoked or expired link, 404
 * COMMENT_NOT_FOUND for a reply to a missing comment, 409 COMMENT_LIMIT_REACHED.
 */
export async function storeComment(
  db: D1Database,
  shareId: string,
  said: ShareComment,
  consequences: readonly D1PreparedStatement[],
): Promise<Outcome<ShareComment>> {
  const results = await db.batch([
    openShareById.bind(db, { shareId }),
    insertComment.bind(db, { ...said, shareId }),
    ...consequences,
  ]);
  if (!isOpen(openShareById.row(results[0]), said.createdAt)) return closed();
  if ((results[1]?.meta.changes ?? 0) > 0) return accept(said);
  const comments = await commentCount.first(latest(db), { shareId });
  return (comments?.count ?? 0) < LIMITS.commentsPerShareMax
    ? noComment()
    : refuse("COMMENT_LIMIT_REACHED", `A link takes at most ${LIMITS.commentsPerShareMax} comments.`);
}

export const noComment = () =>
  refuse("COMMENT_NOT_FOUND", "The link has no comment with this id that can be answered or resolved.");

const COMMENT_PURPOSE = "creative-packs own comment v1";

/** The token with which a visitor resolves their own comment. It is not stored. */
export const signComment = (keys: LinkKeys, commentId: string): Promise<string> =>
  signToken(keys, COMMENT_PURPOSE, [commentId]);

/**
 * Resolves or reopens a visitor's own comment. 403 LINK_INVALID, also for another comment's token, 404
 * COMMENT_NOT_FOUND.
 */
export async function resolveOwnComment(
  db: D1Database,
  keys: LinkKeys,
  { shareId, commentId }: { readonly shareId: string; readonly commentId: string },
  { isResolved, commentToken }: z.infer<typeof resolveOwnCommentBody>,
  nowMs: number,
): Promise<Outcome<ShareComment>> {
  if ((await readToken(keys, COMMENT_PURPOSE, commentToken)) !== JSON.stringify([commentId])) return closed();
  const share = await readOpenShare(db, shareId, nowMs);
  if (!share.ok) return share;
  const [resolved] = await resolveComment.all(db, {
    shareId,
    commentId,
    resolvedAt: isResolved ? nowMs : null,
  });
  return resolved === undefined ? noComment() : accept(resolved);
}
