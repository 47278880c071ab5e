import type { ShareComment } from "creative-packs";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { networkOfId } from "#packs/pack-files.ts";
import { inTileOrder } from "#ui/size-tiles.tsx";

/** Visitors' and members' comments and verdicts on a pack, in display order. */

export type Verdict = "approved" | "changes-requested";

/** A picture under review. */
export interface ReviewFile {
  readonly fileId: string;
  readonly name: string;
  readonly group: string;
  readonly width: number;
  readonly height: number;
}

/** A pack's pictures in tile order, each with its network and name. */
export function useReviewFiles<File extends Omit<ReviewFile, "name" | "group"> & { readonly sizeId: string }>(
  files: readonly File[],
): readonly (File & ReviewFile)[] {
  const { sizeName } = useSizeNames();
  const named = files.map((file) => {
    const { sizeId, width, height } = file;
    const group = networkOfId(sizeId);
    return { ...file, group, name: sizeName({ group, width, height }) };
  });
  return inTileOrder(named, (file) => file);
}

/** A comment with its replies. `number` is shown on its pin and counts across all pictures; null without a pin. */
export interface Thread {
  readonly comment: ShareComment;
  readonly number: number | null;
  readonly replies: readonly ShareComment[];
}

/** Comments that have text, oldest first. */
export function threadsOf(comments: readonly ShareComment[]): readonly Thread[] {
  let pins = 0;
  return comments
    .filter(({ replyTo, text }) => replyTo === null && text !== "")
    .map((comment) => ({
      comment,
      number: comment.pin === null ? null : ++pins,
      replies: comments.filter(({ replyTo }) => replyTo === comment.commentId),
    }));
}

/** The latest verdict on a pack; null before there is one. */
export const latestVerdict = (comments: readonly ShareComment[]): ShareComment | null =>
  comments.findLast(({ verdict }) => verdict !== null) ?? null;

/** The latest verdict on one picture; null if it has none. */
export const verdictOn = (latest: ShareComment | null, fileId: string): Verdict | null =>
  latest?.fileVerdicts.find((one) => one.fileId === fileId)?.verdict ??
  (latest?.verdict === "approved" ? "approved" : null);

/** A visitor or member, with the comment actions that they may take. */
export interface Reviewer {
  /** A visitor's name, empty until entered. `visitor` is null for a member, whose name is known. */
  readonly visitor: { readonly name: string; readonly rename: (name: string) => void } | null;
  /** Stores a comment on a picture or on the pack; null if only replies are allowed. */
  readonly say:
    | ((name: string, text: string, at: Pick<ShareComment, "fileId" | "pin">) => Promise<unknown>)
    | null;
  readonly reply: (name: string, text: string, commentId: string) => Promise<unknown>;
  readonly resolve: (comment: ShareComment) => Promise<unknown>;
  readonly mayResolve: (comment: ShareComment) => boolean;
}
