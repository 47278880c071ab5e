import { useMutation } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../src/api/limits.ts";
import { callAccount } from "../api/account.ts";
import { Form } from "../ui/form.tsx";
import { textOf } from "../ui/form-text.ts";
import { TextField } from "../ui/text-field.tsx";
import { AccountFrame } from "./account-frame.tsx";
import { beginSession } from "./begin-session.ts";
import { Providers } from "./providers.tsx";

/** Makes an account and signs in with it: what was typed is enough for both. */
async function signUp(form: FormData) {
  const email = textOf(form, "email");
  const password = textOf(form, "password");
  await callAccount("signUp", { json: { name: textOf(form, "name"), email, password } });
  return callAccount("signIn", { json: { email, password } });
}

export function SignUpPage() {
  const { t } = useTranslation("session");
  const router = useRouter();
  const { next } = useSearch({ from: "/sign-up" });
  const mutation = useMutation({
    mutationFn: signUp,
    onSuccess: (session) => {
      beginSession(session);
      router.history.push(next ?? "/");
    },
  });
  return (
    <AccountFrame title={t("signUp.title")}>
      <Form sending={mutation} submit={t("signUp.submit")}>
        <TextField label={t("name")} name="name" autoComplete="name" required />
        <TextField label={t("email")} name="email" type="email" autoComplete="email" required />
        <TextField
          label={t("password")}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={LIMITS.passwordCharactersMin}
          hint={t("signUp.passwordHint", { count: LIMITS.passwordCharactersMin })}
        />
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
