import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { errorWords } from "#api/error-words.ts";

interface ErrorNoteProps {
  /** Whatever was thrown; null and undefined show nothing. */
  readonly error: unknown;
  /** Words of the part's own, where it expects the error. */
  readonly children?: ReactNode;
}

/** What went wrong and what to do next, where it went wrong. */
export function ErrorNote({ error, children }: ErrorNoteProps) {
  const { t } = useTranslation();
  if (error === null || error === undefined) return null;
  const { text, reference } = errorWords(error, t);
  return (
    <div role="alert" className="rounded-md border border-red bg-red-soft px-3.5 py-2.5 text-sm text-ink">
      <p>{children ?? text}</p>
      {reference !== null && <p className="mt-1 text-xs text-quiet">{reference}</p>}
    </div>
  );
}
