import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { errorWords } from "#api/error-words.ts";
import { Button } from "./button.tsx";

/** The part of a mutation that a form needs. */
interface Sending {
  readonly mutate: (fields: FormData, options: { readonly onSuccess: () => void }) => void;
  readonly error: unknown;
  readonly isPending: boolean;
}

/** Submits a form's fields, and clears them on success. */
export const sendFields =
  (sending: Sending) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    sending.mutate(new FormData(form), { onSuccess: () => form.reset() });
  };

/** Classes of the buttons at the foot of a dialog. `dialogBody` is the scrolling part above them. */
export const dialogFoot = "dialog-foot flex items-center gap-2 border-t border-line px-4 py-3";
export const dialogBody =
  "flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4 pb-6 mask-b-from-[calc(100%-1.5rem)] *:shrink-0";

interface FormProps {
  readonly sending: Sending;
  readonly submit: string;
  /** Whether this is the page's main form. Then its button is primary and has the full width. */
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
  /** Set in a dialog: adds a cancel button, and keeps the buttons visible at the foot. */
  readonly onCancel?: () => void;
  /** Shown at the foot, before the buttons. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Fields, error and submit button. */
export function Form(props: FormProps) {
  const { sending, submit, isMain = true, isDisabled = false, onCancel, aside, children } = props;
  const { t } = useTranslation();
  return (
    <form
      onSubmit={sendFields(sending)}
      className={`flex flex-col ${onCancel === undefined ? "gap-4" : "min-h-0 flex-1"}`}
    >
      <div className={onCancel === undefined ? "contents" : dialogBody}>
        {children}
        <ErrorNote error={sending.error} />
      </div>
      <div className={onCancel !== undefined ? dialogFoot : isMain ? "grid" : "flex"}>
        {onCancel !== undefined && (
          <>
            <div className="mr-auto">{aside}</div>
            <Button onClick={onCancel}>{t("cancel")}</Button>
          </>
        )}
        <Button
          kind={isMain ? "primary" : "secondary"}
          type="submit"
          isBusy={sending.isPending}
          disabled={isDisabled}
        >
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** Text of a form's field; empty for a missing field or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

interface ErrorNoteProps {
  /** The error; null and undefined show nothing. */
  readonly error: unknown;
  /** Text for an expected error, instead of the general one. */
  readonly children?: ReactNode;
}

/** An inline error: what went wrong and what to do next. */
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
