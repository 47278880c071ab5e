import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { serviceQuery } from "#api/queries.ts";
import { Form, textOf } from "#ui/form.tsx";
import { TextField } from "#ui/text-field.tsx";
import { showToast } from "#ui/toast.ts";
import { shownLanguage } from "#words/words.ts";
import { AccountFrame } from "./account-frame.tsx";
import { beginSession } from "./begin-session.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { Providers } from "./providers.tsx";

/** Creates an account and signs in with it. Emails will be in the page's language. */
async function signUp(form: FormData) {
  const email = textOf(form, "email");
  const password = textOf(form, "password");
  await callAccount("signUp", {
    json: { name: textOf(form, "name"), email, password, language: shownLanguage() },
  });
  return callAccount("signIn", { json: { email, password } });
}

export function SignUpPage() {
  const { t } = useTranslation("session");
  const router = useRouter();
  const { next } = useSearch({ from: "/sign-up" });
  const { data: service } = useQuery(serviceQuery);
  const mutation = useMutation({
    mutationFn: signUp,
    onSuccess: (session) => {
      beginSession(session);
      if (service?.mail === true) showToast(t("signUp.mailSent", { email: session.account.email }));
      router.history.push(next ?? "/");
    },
  });
  return (
    <AccountFrame title={t("signUp.title")} lead={t("signUp.lead")}>
      <Form sending={mutation} submit={t("signUp.submit")}>
        <TextField label={t("name")} name="name" autoComplete="name" required />
        <TextField label={t("email")} name="email" type="email" autoComplete="email" required />
        <NewPasswordField label={t("password")} name="password" />
      </Form>
      <Providers next={next} />
      <p className="text-sm text-quiet">
        {t("signUp.other")}{" "}
        <Link
          to="/sign-in"
          search={next === undefined ? {} : { next }}
          className="text-accent underline underline-offset-2"
        >
          {t("signUp.toSignIn")}
        </Link>
      </p>
    </AccountFrame>
  );
}
