import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/error-note.tsx";
import { textOf } from "#ui/form.tsx";
import { MailLanguageSelect } from "#ui/select.tsx";
import { TextField } from "#ui/text-field.tsx";
import { shownLanguage } from "#words/words.ts";
import type { Invite } from "./use-invite.ts";

/** Whom to write to. Without an address there is only the link. */
export function InviteForm({ invite }: { readonly invite: Invite }) {
  const { t } = useTranslation("people");
  const [language, setLanguage] = useState(shownLanguage);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const email = textOf(new FormData(event.currentTarget), "email").trim();
    invite.mutate(email === "" ? null : { email, language });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={t("invite.email")}
        hint={t("invite.emailHint")}
        name="email"
        type="email"
        autoComplete="off"
      />
      <MailLanguageSelect value={language} onChange={setLanguage} />
      <ErrorNote error={invite.error} />
      <div className="grid">
        <Button kind="primary" type="submit" isBusy={invite.isPending}>
          {t("invite.submit")}
        </Button>
      </div>
    </form>
  );
}
