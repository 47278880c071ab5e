import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { sessionQuery } from "#api/queries.ts";
import { noteSignedIn } from "#api/signed-in-note.ts";
import { Dialog } from "#ui/dialog.tsx";
import { continueSession } from "./begin-session.ts";
import { Providers } from "./providers.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/**
 * Shows a workspace page. If the session ends meanwhile, the user signs in in a dialog over the page and keeps their
 * input. If another user signs in, the page starts again.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation("session");
  const { data, isSuccess } = useQuery(sessionQuery);
  // The dialog stays closed while the router loads another page, such as the sign-in page.
  const isLeaving = useRouterState({ select: ({ isLoading }) => isLoading });
  const hasEnded = isSuccess && data === null && !isLeaving;
  const accountId = useRef<string | null>(null);
  accountId.current ??= data?.account.accountId ?? null;
  return (
    <>
      {children}
      <Dialog title={t("signIn.title")} isOpen={hasEnded} onClose={() => {}}>
        <div className="flex flex-col gap-4">
          <p className="text-sm text-quiet">{t("signIn.again")}</p>
          <SignInForm
            onSignedIn={(session) => {
              if (session.account.accountId === accountId.current) return continueSession(session);
              noteSignedIn();
              location.assign("/");
            }}
          />
          <Providers next={`${location.pathname}${location.search}`} />
        </div>
      </Dialog>
    </>
  );
}
