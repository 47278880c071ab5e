import { useMutation } from "@tanstack/react-query";
import { LIMITS } from "creative-packs-service/limits";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { forgetSessionKeys } from "#api/session-key.ts";
import { Form, textOf } from "#ui/form.tsx";
import { Card } from "#ui/page.tsx";
import { TextField } from "#ui/text-field.tsx";
import { tell } from "#ui/toast.ts";

/** Changes the password; the service ends every other session. */
export function ChangePassword() {
  const { t } = useTranslation("settings");
  const change = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("changePassword", {
        json: { currentPassword: textOf(form, "current"), newPassword: textOf(form, "new") },
      }),
    onSuccess: () => {
      // Keys of the session as it was have ended with it.
      forgetSessionKeys();
      tell(t("password.done"));
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
