import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { CreateShareComment } from "#api/schemas/share.ts";
import type { LinkKeys } from "#platform/bindings/capabilities.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import type { ArtifactFile } from "../artifacts/artifact.ts";
import { insertCommentMessages } from "../deliveries/webhook/share-message.ts";
import { verdictMailStatements } from "./mail-share.ts";
import { presentComment, stillsOf, type VisitedPack } from "./share.ts";
import { readShareToken, type SignedShare } from "./share-token.ts";
import { commentsOfShare, insertComment, type OpenShare, openShareById, type ShareComment } from "./store.ts";

/** What a visitor with a share link does: look at the pack, comment on it, approve it or ask for changes. */

const closed = () =>
  refuse("LINK_INVALID", "The link is altered or incomplete, or it has ended.", {
    nextAction: "Ask whoever sent the link for a new one.",
  });

/** The share that a link names, unread. 403 LINK_INVALID for one that is altered or expired. */
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

/** The pack of a link. 403 LINK_INVALID for one that was revoked or has ended, and in a suspended workspace. */
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

/** A still of a link's pack. As `visitShare`, and 404 FILE_NOT_FOUND. */
export async function visitFile(
  db: D1Database,
  shareId: string,
  fileId: string,
  nowMs: number,
): Promise<Outcome<{ readonly share: OpenShare; readonly file: ArtifactFile }>> {
  const share = await openShareById.first(latest(db), { shareId });
  if (!isOpen(share, nowMs)) return closed();
  const file = stillsOf(share).find((still) => still.fileId === fileId);
  return file === undefined ? noFile() : accept({ share, file });
}

const noFile = () =>
  refuse("FILE_NOT_FOUND", "The pack has no still of this id.", {
    nextAction: "Read the shared pack and use one of its file ids.",
  });

/**
 * Keeps what a visitor says, with the messages that tell webhooks of it and, where mail is configured, the mail that tells
 * the link's maker of a verdict. As `visitFile`, and 409 COMMENT_LIMIT_REACHED.
 */
export async function comment(
  db: D1Database,
  shareId: string,
  request: CreateShareComment,
  { isMailed, nowMs }: { readonly isMailed: boolean; readonly nowMs: number },
): Promise<Outcome<ShareComment>> {
  const { name, text = "" } = request;
  const fileId = request.fileId ?? null;
  const verdict = request.verdict ?? null;
  if (fileId !== null) {
    const visited = await visitFile(db, shareId, fileId, nowMs);
    if (!visited.ok) return visited;
  }
  const said: ShareComment = { commentId: newId(), fileId, name, text, verdict, createdAt: nowMs };
  const results = await db.batch([
    openShareById.bind(db, { shareId }),
    insertComment.bind(db, { ...said, shareId }),
    insertCommentMessages.bind(db, {
      commentId: said.commentId,
      shown: JSON.stringify(presentComment(said)),
      nowMs,
    }),
    ...(isMailed ? await verdictMailStatements(db, shareId, said) : []),
  ]);
  if (!isOpen(openShareById.row(results[0]), nowMs)) return closed();
  if ((results[1]?.meta.changes ?? 0) > 0) return accept(said);
  return refuse("COMMENT_LIMIT_REACHED", `A link takes at most ${LIMITS.commentsPerShareMax} comments.`);
}
