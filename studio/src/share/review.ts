import type { ShareComment } from "creative-packs";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { networkOfId } from "#packs/pack-files.ts";
import { inTileOrder } from "#ui/size-tiles.tsx";

/** What visitors and members said of a pack, in the order in which pages show it. */

export type Verdict = "approved" | "changes-requested";

/** A picture that is reviewed. */
export interface ReviewFile {
  readonly fileId: string;
  readonly name: string;
  readonly group: string;
  readonly width: number;
  readonly height: number;
}

/** The pictures of a pack in the order of its tiles, each with its network and its name. */
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

/** A comment with its replies. `number` is on its pin, and counts through all pictures; null without a pin. */
export interface Thread {
  readonly comment: ShareComment;
  readonly number: number | null;
  readonly replies: readonly ShareComment[];
}

/** Comments in words, oldest first. */
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

/** What the latest verdict says of one picture; null where it says nothing of it. */
export const verdictOn = (latest: ShareComment | null, fileId: string): Verdict | null =>
  latest?.fileVerdicts.find((one) => one.fileId === fileId)?.verdict ??
  (latest?.verdict === "approved" ? "approved" : null);

/** Who looks at a pack, and what they may do about comments. */
export interface Reviewer {
  /** A visitor's own name, empty until they gave it; null for a member, whose name is known. */
  readonly visitor: { readonly name: string; readonly rename: (name: string) => void } | null;
  /** Stores a comment on a picture, or on the pack; null where only replies are taken. */
  readonly say:
    | ((name: string, text: string, at: Pick<ShareComment, "fileId" | "pin">) => Promise<unknown>)
    | null;
  readonly reply: (name: string, text: string, commentId: string) => Promise<unknown>;
  readonly resolve: (comment: ShareComment) => Promise<unknown>;
  readonly mayResolve: (comment: ShareComment) => boolean;
}
