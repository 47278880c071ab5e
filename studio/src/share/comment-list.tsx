import type { ShareComment } from "creative-packs";
import { useTranslation } from "react-i18next";
import { Badge } from "#ui/badge.tsx";
import { Moment } from "#ui/moment.tsx";

interface CommentListProps {
  readonly comments: readonly ShareComment[];
  /** What a file is called, by its id. */
  readonly fileNames: ReadonlyMap<string, string>;
}

/** What visitors said of a pack, oldest first. */
export function CommentList({ comments, fileNames }: CommentListProps) {
  const { t } = useTranslation("share");
  return (
    <ol className="flex flex-col gap-3">
      {comments.map(({ commentId, name, text, verdict, fileId, createdAt }) => (
        <li key={commentId} className="border-l-2 border-line pl-3 text-sm">
          <p className="flex flex-wrap items-center gap-2 text-xs text-quiet">
            <span className="font-medium text-ink">{name}</span>
            {fileId !== null && <span>{t("onFile", { name: fileNames.get(fileId) ?? "" })}</span>}
            <Moment at={createdAt} />
            {verdict !== null && (
              <Badge tone={verdict === "approved" ? "good" : "warning"}>{t(`verdict.${verdict}`)}</Badge>
            )}
          </p>
          {text !== "" && <p className="mt-1 whitespace-pre-wrap">{text}</p>}
        </li>
      ))}
    </ol>
  );
}
