import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { endSession } from "#api/queries.ts";
import { buttonStyle } from "#ui/button.tsx";
import { Form, textOf } from "#ui/form.tsx";
import { AccountFrame } from "./account-frame.tsx";
import { isLinkExpired, useLinkToken } from "./link-token.ts";
import { NewPasswordField } from "./new-password-field.tsx";

/** Page of an emailed link that sets a new password. */
export function ResetPasswordPage() {
  const { t } = useTranslation("session");
  const token = useLinkToken();
  return (
    <AccountFrame title={t("reset.title")}>
      {token === "" ? <AnotherMail text={t("reset.noToken")} /> : <Reset key={token} token={token} />}
    </AccountFrame>
  );
}

function Reset({ token }: { readonly token: string }) {
  const { t } = useTranslation("session");
  const reset = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("resetPassword", { json: { token, newPassword: textOf(form, "password") } }),
    // All of the account's sessions have ended, including this browser's.
    onSuccess: endSession,
  });
  if (reset.isSuccess) {
    return (
      <div className="flex flex-col gap-4">
        <p role="status">{t("reset.done")}</p>
        <Link to="/sign-in" className={buttonStyle("primary")}>
          {t("signIn.title")}
        </Link>
      </div>
    );
  }
  if (isLinkExpired(reset.error)) return <AnotherMail text={t("reset.over")} />;
  return (
    <Form sending={reset} submit={t("reset.submit")}>
      <NewPasswordField label={t("reset.password")} name="password" />
    </Form>
  );
}

/** Says why the link failed, and how to get another. */
function AnotherMail({ text }: { readonly text: string }) {
  const { t } = useTranslation("session");
  return (
    <div className="flex flex-col gap-4">
      <p role="alert">{text}</p>
      <Link to="/forgot-password" className={buttonStyle("primary")}>
        {t("reset.again")}
      </Link>
    </div>
  );
}
