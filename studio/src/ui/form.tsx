import type { FormEvent, ReactNode } from "react";
import { Button } from "./button.tsx";
import { ErrorNote } from "./error-note.tsx";

/** What takes a form's fields: a mutation, or what of one this needs. */
interface Sending {
  readonly mutate: (fields: FormData, options: { readonly onSuccess: () => void }) => void;
  readonly error: unknown;
  readonly isPending: boolean;
}

/** Sends the fields of a form that is submitted; it is empty again once they were taken, and keeps what was typed till then. */
export const sendFields =
  (sending: Sending) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    sending.mutate(new FormData(form), { onSuccess: () => form.reset() });
  };

interface FormProps {
  readonly sending: Sending;
  /** On the button that sends it. */
  readonly submit: string;
  /** Whether it is what the page is for: then the button is the primary one, as wide as the form. */
  readonly isMain?: boolean;
  /** While it cannot be sent. */
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

/** Fields, what went wrong with them, and the button that sends them. */
export function Form({ sending, submit, isMain = true, isDisabled = false, children }: FormProps) {
  return (
    <form onSubmit={sendFields(sending)} className="flex flex-col gap-4">
      {children}
      <ErrorNote error={sending.error} />
      <div className={isMain ? "grid" : "flex"}>
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

/** The text of a form's field; empty for one that is missing or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
