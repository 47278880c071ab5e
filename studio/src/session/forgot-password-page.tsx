import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { KnownService } from "#api/known-service.tsx";
import { Button } from "#ui/button.tsx";
import { Form, textOf } from "#ui/form.tsx";
import { TextField } from "#ui/text-field.tsx";
import { AccountFrame } from "./account-frame.tsx";

/** Requests an email with a link to set a new password. The response does not reveal whether the account exists. */
export function ForgotPasswordPage() {
  const { t } = useTranslation("session");
  return (
    <AccountFrame title={t("forgot.title")}>
      <KnownService>
        {({ mail }) => (mail ? <AskForMail /> : <p className="text-sm">{t("forgot.noMail")}</p>)}
      </KnownService>
      <p className="text-sm text-quiet">
        <Link to="/sign-in" className="text-accent underline underline-offset-2">
          {t("forgot.back")}
        </Link>
      </p>
    </AccountFrame>
  );
}

function AskForMail() {
  const { t } = useTranslation("session");
  const ask = useMutation({
    mutationFn: async (form: FormData) => {
      const email = textOf(form, "email").trim();
      await callAccount("askPasswordReset", { json: { email } });
      return email;
    },
  });
  if (ask.isSuccess) {
    return (
      <div className="flex flex-col items-start gap-4">
        <p role="status">{t("forgot.sent", { email: ask.data })}</p>
        <p className="text-sm text-quiet">{t("forgot.noneCame")}</p>
        <Button onClick={ask.reset}>{t("forgot.again")}</Button>
      </div>
    );
  }
  return (
    <>
      <p className="text-sm text-quiet">{t("forgot.lead")}</p>
      <Form sending={ask} submit={t("forgot.submit")}>
        <TextField label={t("email")} name="email" type="email" autoComplete="email" required />
      </Form>
    </>
  );
}
