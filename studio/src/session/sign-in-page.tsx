import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { AccountFrame } from "./account-frame.tsx";
import { beginSession } from "./begin-session.ts";
import { Providers } from "./providers.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInPage() {
  const { t } = useTranslation("session");
  const router = useRouter();
  const { next, refused } = useSearch({ from: "/sign-in" });
  return (
    <AccountFrame title={t("signIn.title")}>
      {refused !== undefined && (
        <p role="alert" className="rounded-md border border-red bg-red-soft px-3.5 py-2.5 text-sm">
          {t("signIn.refused")}
        </p>
      )}
      <SignInForm
        onSignedIn={(session) => {
          beginSession(session);
          router.history.push(next ?? "/");
        }}
      />
      <Providers next={next} />
      <p className="text-sm text-quiet">
        {t("signIn.other")}{" "}
        <Link
          to="/sign-up"
          search={next === undefined ? {} : { next }}
          className="text-accent underline underline-offset-2"
        >
          {t("signIn.toSignUp")}
        </Link>
      </p>
    </AccountFrame>
  );
}
