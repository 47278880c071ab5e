import { useMutation } from "@tanstack/react-query";
import type { ShareComment } from "creative-packs";
import { CornerDownRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "#ui/badge.tsx";
import { Moment } from "#ui/moment.tsx";
import { showErrorToast } from "#ui/toast.ts";
import { Composer } from "./composer.tsx";
import { PinNumber } from "./pins.tsx";
import type { Reviewer, Thread } from "./review.ts";

interface ThreadsProps {
  readonly threads: readonly Thread[];
  readonly reviewer: Reviewer;
  /** Names of the pictures, by file id. */
  readonly names: ReadonlyMap<string, string>;
  /** Opens the picture of a comment; null if the picture is open already. */
  readonly onOpen: ((fileId: string) => void) | null;
  /** Id of the comment whose pin is under the pointer. */
  readonly activeId?: string | null;
  readonly onActive?: (commentId: string | null) => void;
}

/** Comments with their replies, oldest first. */
export function Threads({ threads, ...rest }: ThreadsProps) {
  return (
    <ol className="flex flex-col divide-y divide-line">
      {threads.map((thread) => (
        <ThreadItem key={thread.comment.commentId} thread={thread} {...rest} />
      ))}
    </ol>
  );
}

const ACTION = "min-h-6 text-xs font-medium text-quiet hover:text-ink hover:underline";

function ThreadItem({
  thread: { comment, number, replies },
  reviewer,
  names,
  onOpen,
  activeId = null,
  onActive,
}: Omit<ThreadsProps, "threads"> & { readonly thread: Thread }) {
  const { t } = useTranslation("share");
  const [isReplying, setIsReplying] = useState(false);
  const resolve = useMutation({ mutationFn: () => reviewer.resolve(comment), onError: showErrorToast });
  const isResolved = comment.resolvedAt !== null;
  const { fileId } = comment;
  const place = fileId === null ? null : (names.get(fileId) ?? null);
  return (
    <li
      className={`flex gap-3 py-3.5 text-sm ${comment.commentId === activeId ? "bg-sunk shadow-[-8px_0_var(--sunk),8px_0_var(--sunk)]" : ""}`}
      onPointerEnter={() => onActive?.(comment.commentId)}
      onPointerLeave={() => onActive?.(null)}
      onFocus={() => onActive?.(comment.commentId)}
      onBlur={() => onActive?.(null)}
    >
      {number === null ? (
        <Initial name={comment.name} />
      ) : (
        <PinNumber number={number} isResolved={isResolved} isActive={comment.commentId === activeId} />
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <Said comment={comment} isQuiet={isResolved} />
        {fileId !== null && place !== null && onOpen !== null && (
          <button
            type="button"
            onClick={() => onOpen(fileId)}
            className="self-start text-xs text-accent hover:underline"
          >
            {place}
          </button>
        )}
        {replies.map((reply) => (
          <div key={reply.commentId} className="mt-1 flex gap-2">
            <CornerDownRight className="mt-0.5 size-4 shrink-0 text-quiet" />
            <Said comment={reply} isQuiet={isResolved} />
          </div>
        ))}
        {isReplying ? (
          <Composer
            reviewer={reviewer}
            label={t("reply.label")}
            submit={t("reply.submit")}
            onSend={(name, text) => reviewer.reply(name, text, comment.commentId)}
            onCancel={() => setIsReplying(false)}
          />
        ) : (
          <div className="flex flex-wrap items-center gap-4">
            <button type="button" className={ACTION} onClick={() => setIsReplying(true)}>
              {t("reply.open")}
            </button>
            {reviewer.mayResolve(comment) && (
              <button
                type="button"
                className={ACTION}
                disabled={resolve.isPending}
                onClick={() => resolve.mutate()}
              >
                {t(isResolved ? "reopen" : "resolve")}
              </button>
            )}
          </div>
        )}
      </div>
    </li>
  );
}

function Said({ comment, isQuiet }: { readonly comment: ShareComment; readonly isQuiet: boolean }) {
  const { t } = useTranslation("share");
  const { name, text, verdict, isMember, resolvedAt, createdAt } = comment;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-quiet">
        <span className="text-sm font-medium text-ink">{name}</span>
        {isMember && <Badge>{t("team")}</Badge>}
        {verdict !== null && (
          <Badge tone={verdict === "approved" ? "good" : "warning"}>{t(`verdict.${verdict}`)}</Badge>
        )}
        {resolvedAt !== null && <Badge tone="good">{t("resolved")}</Badge>}
        <Moment at={createdAt} />
      </p>
      <p className={`break-words whitespace-pre-wrap ${isQuiet ? "text-quiet" : ""}`}>{text}</p>
    </div>
  );
}

/** The first letter of a name in a circle. */
export function Initial({ name }: { readonly name: string }) {
  return (
    <span
      aria-hidden="true"
      className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
