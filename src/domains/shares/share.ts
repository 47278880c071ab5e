import type { z } from "zod";
import { refuse } from "#api/errors.ts";
import type { shareCommentSchema, sharedPackSchema, shareSchema } from "#api/schemas/share.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import { pick } from "#platform/pick-members.ts";
import { protectedSizeOf } from "#renderer/index.ts";
import { type ArtifactFile, withObjectKeys } from "../artifacts/artifact.ts";
import type { OpenShare, Share, ShareComment } from "./store.ts";

export const noShare = () => refuse("SHARE_NOT_FOUND", "The pack has no share link with this id.");

function statusOf(
  { revokedAt, expiresAt }: Pick<Share, "revokedAt" | "expiresAt">,
  nowMs: number,
): "open" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt <= nowMs ? "expired" : "open";
}

/** The API's representation of a share for members. `url` is its page, shown while it is open. */
export function presentShare(share: Share, url: string, nowMs: number): z.infer<typeof shareSchema> {
  const status = statusOf(share, nowMs);
  return {
    ...pick(share, "shareId", "artifactId", "name"),
    status,
    url: status === "open" ? url : null,
    ...pick(share, "verdict", "commentCount", "message", "isClean"),
    dueAt: toTimestampOrNull(share.dueAt),
    createdAt: toTimestamp(share.createdAt),
    expiresAt: toTimestamp(share.expiresAt),
    revokedAt: toTimestampOrNull(share.revokedAt),
  };
}

export const presentComment = (comment: ShareComment): z.infer<typeof shareCommentSchema> => ({
  ...pick(comment, "commentId", "name", "text", "verdict", "fileId", "replyTo", "isMember"),
  fileVerdicts: Object.entries(comment.fileVerdicts).map(([fileId, verdict]) => ({ fileId, verdict })),
  pin: comment.pinX === null || comment.pinY === null ? null : { x: comment.pinX, y: comment.pinY },
  resolvedAt: toTimestampOrNull(comment.resolvedAt),
  createdAt: toTimestamp(comment.createdAt),
});

/** A pack as a visitor sees it. */
export interface VisitedPack {
  readonly share: OpenShare;
  readonly comments: readonly ShareComment[];
}

/** One static file per size: an animation is shown by its static backup. */
export function stillsOf(share: OpenShare): readonly ArtifactFile[] {
  return withObjectKeys(share, share.files).filter(({ animation }) => animation === undefined);
}

/** A pack with its pictures' URLs, which extend the link's URL. */
export function presentVisit(
  { share, comments }: VisitedPack,
  linkUrl: string,
): z.infer<typeof sharedPackSchema> {
  const moving = new Set(
    share.files.filter(({ animation }) => animation !== undefined).map(({ sizeId }) => sizeId),
  );
  return {
    ...pick(share, "name", "contractId", "motion", "verdict", "senderName", "message", "isClean"),
    brand: { name: share.brandName, logoUrl: share.logo === null ? null : `${linkUrl}/logo` },
    dueAt: toTimestampOrNull(share.dueAt),
    createdAt: toTimestamp(share.createdAt),
    expiresAt: toTimestamp(share.expiresAt),
    files: stillsOf(share).map((file) => ({
      ...pick(file, "fileId", "sizeId", "width", "height"),
      isAnimated: moving.has(file.sizeId),
      image: {
        url: `${linkUrl}/files/${file.fileId}`,
        ...(share.isClean ? pick(file, "width", "height") : protectedSizeOf(file.width, file.height)),
      },
    })),
    comments: comments.map(presentComment),
  };
}
