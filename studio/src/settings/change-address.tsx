import { useMutation, useQuery } from "@tanstack/react-query";
import { LIMITS } from "creative-packs-service/limits";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { sessionQuery } from "#api/queries.ts";
import { dropSessionKeys } from "#api/session-key.ts";
import { Badge } from "#ui/badge.tsx";
import { Form, textOf } from "#ui/form.tsx";
import { Card } from "#ui/page.tsx";
import { TextField } from "#ui/text-field.tsx";
import { showToast } from "#ui/toast.ts";

/** Changes the account's email address. The new address applies once the link in an email to it was opened. */
export function ChangeAddress() {
  const { t } = useTranslation("settings");
  const { data: session } = useQuery({ ...sessionQuery, refetchOnWindowFocus: "always" });
  const change = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("changeEmail", {
        json: { newEmail: textOf(form, "email").trim(), password: textOf(form, "password") },
      }),
  });
  if (session == null) return null;
  const { email, isEmailConfirmed } = session.account;
  return (
    <Card title={t("address.title")}>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="break-all">{email}</span>
        <Badge tone={isEmailConfirmed ? "good" : "warning"}>
          {isEmailConfirmed ? t("address.confirmed") : t("address.unconfirmed")}
        </Badge>
      </p>
      {change.isSuccess && change.data.newEmail !== email && (
        <p role="status" className="rounded-md border border-line bg-sunk px-3.5 py-2.5 text-sm">
          {t("address.sent", { email: change.data.newEmail })}
        </p>
      )}
      <Form sending={change} submit={t("address.submit")} isMain={false}>
        <TextField label={t("address.new")} name="email" type="email" autoComplete="email" required />
        <TextField
          label={t("password.current")}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
    </Card>
  );
}

/** Changes the password; the service ends all other sessions. */
export function ChangePassword() {
  const { t } = useTranslation("settings");
  const change = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("changePassword", {
        json: { currentPassword: textOf(form, "current"), newPassword: textOf(form, "new") },
      }),
    onSuccess: () => {
      // The page's keys have ended with the previous session.
      dropSessionKeys();
      showToast(t("password.done"));
    },
  });
  return (
    <Card title={t("password.title")}>
      <Form sending={change} submit={t("password.submit")} isMain={false}>
        <TextField
          label={t("password.current")}
          name="current"
          type="password"
          autoComplete="current-password"
          required
        />
        <TextField
          label={t("password.new")}
          name="new"
          type="password"
          autoComplete="new-password"
          required
          minLength={LIMITS.passwordCharactersMin}
          hint={t("password.hint", { count: LIMITS.passwordCharactersMin })}
        />
      </Form>
    </Card>
  );
}
