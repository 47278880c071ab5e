import { useMutation } from "@tanstack/react-query";
import { LIMITS } from "creative-packs-service/limits";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { TextArea, TextField } from "#ui/text-field.tsx";
import type { Reviewer } from "./review.ts";

interface ComposerProps {
  readonly reviewer: Reviewer;
  readonly label: string;
  readonly placeholder?: string;
  readonly submit: string;
  readonly onSend: (name: string, text: string) => Promise<unknown>;
  readonly onCancel?: (() => void) | undefined;
}

/** Form for a comment, with a name field for visitors without a name. */
export function Composer({ reviewer, label, placeholder, submit, onSend, onCancel }: ComposerProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const known = reviewer.visitor?.name ?? "";
  const [name, setName] = useState(known);
  const send = useMutation({
    mutationFn: () => onSend(known === "" ? name.trim() : known, text.trim()),
    onSuccess: () => {
      setText("");
      onCancel?.();
    },
  });
  const submitForm = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-3">
      <NameField reviewer={reviewer} name={name} onChange={setName} />
      <TextArea
        rows={2}
        label={label}
        placeholder={placeholder}
        value={text}
        onChange={setText}
        maxLength={LIMITS.commentCharactersMax}
      />
      <ErrorNote error={send.error} />
      <div className="flex gap-2">
        <Button kind="primary" type="submit" isBusy={send.isPending} disabled={text.trim() === ""}>
          {submit}
        </Button>
        {onCancel !== undefined && (
          <Button kind="quiet" onClick={onCancel}>
            {t("cancel")}
          </Button>
        )}
      </div>
    </form>
  );
}

interface NameFieldProps {
  readonly reviewer: Reviewer;
  readonly name: string;
  readonly onChange: (name: string) => void;
}

/** Field for a visitor's name, shown until the name is known. */
export function NameField({ reviewer, name, onChange }: NameFieldProps): ReactNode {
  const { t } = useTranslation("share");
  if (reviewer.visitor?.name !== "") return null;
  return (
    <TextField
      label={t("form.name")}
      value={name}
      onChange={(event) => onChange(event.currentTarget.value)}
      required
      maxLength={LIMITS.visitorNameCharactersMax}
      autoComplete="name"
    />
  );
}
