import type { z } from "zod";
import type { shareCommentSchema, sharedPackSchema, shareSchema } from "../api/schemas/share.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/clock.ts";
import { pick } from "../platform/pick.ts";
import { previewSizeOf } from "../renderer/index.ts";
import type { OpenShare, Share, ShareComment, SharedFile } from "./store.ts";

/** How a visitor's pictures are protected: whoever pays has the files. */
export const SHARE_PROTECTION = "watermarked";

function statusOf(
  { revokedAt, expiresAt }: Pick<Share, "revokedAt" | "expiresAt">,
  nowMs: number,
): "open" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt <= nowMs ? "expired" : "open";
}

/** A share as members see it; `url` is its page, which is shown while it is open. */
export function presentShare(share: Share, url: string, nowMs: number): z.infer<typeof shareSchema> {
  const status = statusOf(share, nowMs);
  return {
    ...pick(share, "shareId", "artifactId", "name"),
    status,
    url: status === "open" ? url : null,
    ...pick(share, "verdict", "commentCount"),
    createdAt: toTimestamp(share.createdAt),
    expiresAt: toTimestamp(share.expiresAt),
    revokedAt: toTimestampOrNull(share.revokedAt),
  };
}

export const presentComment = (comment: ShareComment): z.infer<typeof shareCommentSchema> => ({
  ...pick(comment, "commentId", "name", "text", "verdict", "fileId"),
  createdAt: toTimestamp(comment.createdAt),
});

/** A pack as a visitor sees it. */
export interface VisitedPack {
  readonly share: OpenShare;
  readonly files: readonly SharedFile[];
  readonly comments: readonly ShareComment[];
}

/** One still of each size: an animation is seen by the one that ships beside it. */
export function stillsOf(files: readonly SharedFile[]): readonly SharedFile[] {
  return files.filter(({ animation }) => animation === null);
}

/** The pack with the addresses of its protected pictures. */
export function presentVisit(
  { share, files, comments }: VisitedPack,
  imageUrlOf: (fileId: string) => string,
): z.infer<typeof sharedPackSchema> {
  const moving = new Set(files.filter(({ animation }) => animation !== null).map(({ sizeId }) => sizeId));
  return {
    ...pick(share, "name", "contractId", "motion", "verdict"),
    createdAt: toTimestamp(share.createdAt),
    expiresAt: toTimestamp(share.expiresAt),
    files: stillsOf(files).map((file) => ({
      ...pick(file, "fileId", "sizeId", "width", "height"),
      isAnimated: moving.has(file.sizeId),
      image: { url: imageUrlOf(file.fileId), ...previewSizeOf(file.width, file.height, SHARE_PROTECTION) },
    })),
    comments: comments.map(presentComment),
  };
}
