import { useMutation } from "@tanstack/react-query";
import { LIMITS } from "creative-packs-service/limits";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/error-note.tsx";
import { textOf } from "#ui/form.tsx";
import { MailLanguageSelect } from "#ui/select.tsx";
import { TextArea } from "#ui/text-area.tsx";
import { TextField } from "#ui/text-field.tsx";
import { shownLanguage } from "#words/words.ts";

interface MailShareProps {
  readonly artifactId: string;
  readonly shareId: string;
  readonly onClose: () => void;
}

/** Sends a link for approval to somebody by mail, with a message. */
export function MailShare({ artifactId, shareId, onClose }: MailShareProps) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const [language, setLanguage] = useState(shownLanguage);
  const [message, setMessage] = useState("");
  const send = useMutation({
    mutationFn: async (email: string) => {
      const text = message.trim();
      await clientOf(workspaceId).shares.mail(artifactId, shareId, {
        email,
        language,
        ...(text === "" ? {} : { message: text }),
      });
      return email;
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send.mutate(textOf(new FormData(event.currentTarget), "email").trim());
  };
  if (send.isSuccess) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status">{t("share.mail.sent", { email: send.data })}</p>
        <Button onClick={send.reset}>{t("share.mail.another")}</Button>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 rounded-md bg-sunk p-3.5">
      <div className="grid gap-3 sm:grid-cols-[1fr_auto]">
        <TextField label={t("share.mail.email")} name="email" type="email" autoComplete="off" required />
        <MailLanguageSelect value={language} onChange={setLanguage} />
      </div>
      <TextArea
        label={t("share.mail.message")}
        value={message}
        onChange={setMessage}
        maxLength={LIMITS.commentCharactersMax}
      />
      <ErrorNote error={send.error} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" isBusy={send.isPending}>
          {t("share.mail.submit")}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t("share.mail.cancel")}
        </Button>
      </div>
    </form>
  );
}
