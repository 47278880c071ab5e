import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Session } from "creative-packs/internal";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { Form, textOf } from "#ui/form.tsx";
import { TextField } from "#ui/text-field.tsx";

/** Form for email address and password. `onSignedIn` receives the session, to pass to `begin-session.ts`. */
export function SignInForm({ onSignedIn }: { readonly onSignedIn: (session: Session) => void }) {
  const { t } = useTranslation("session");
  const signIn = useMutation({
    mutationFn: (form: FormData) =>
      callAccount("signIn", { json: { email: textOf(form, "email"), password: textOf(form, "password") } }),
    onSuccess: onSignedIn,
  });
  return (
    <div className="flex flex-col gap-4">
      <Form sending={signIn} submit={t("signIn.submit")}>
        <TextField label={t("email")} name="email" type="email" autoComplete="email" required />
        <TextField
          label={t("password")}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
      <p className="text-sm">
        <Link to="/forgot-password" className="text-accent underline underline-offset-2">
          {t("signIn.forgot")}
        </Link>
      </p>
    </div>
  );
}
