import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient, sessionQuery } from "#api/queries.ts";
import { isDraftOpen } from "#editor/draft/draft-lock.ts";
import { buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Loading } from "#ui/page.tsx";
import { AccountFrame } from "./account-frame.tsx";
import { isLinkExpired, useLinkToken } from "./link-token.ts";
import { SendConfirmation } from "./send-confirmation.tsx";

/** Page of an emailed link that confirms an address; works with or without a session. */
export function ConfirmEmailPage() {
  const { t } = useTranslation("session");
  const token = useLinkToken();
  return (
    <AccountFrame title={t("confirm.title")}>
      {token === "" ? <Again text={t("confirm.noToken")} /> : <Confirm key={token} token={token} />}
    </AccountFrame>
  );
}

function Confirm({ token }: { readonly token: string }) {
  const { t } = useTranslation("session");
  // A query instead of a mutation, so that the link is used once even if the page renders several times.
  const confirm = useQuery({
    queryKey: ["confirm-email", token],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () => {
      const confirmed = await callAccount("confirmEmail", { json: { token } });
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      return confirmed;
    },
  });
  if (confirm.isPending) return <Loading />;
  if (confirm.isSuccess) return <Confirmed email={confirm.data.email} />;
  if (isLinkExpired(confirm.error)) return <Again text={t("confirm.over")} />;
  return <ErrorNote error={confirm.error} />;
}

function Confirmed({ email }: { readonly email: string }) {
  const { t } = useTranslation("session");
  const { data: session } = useQuery(sessionQuery);
  const { data: isDraftElsewhere, isPending } = useQuery({ queryKey: ["draft-open"], queryFn: isDraftOpen });
  if (isPending) return <Loading />;
  return (
    <div className="flex flex-col gap-4">
      <p role="status">{t("confirm.done", { email })}</p>
      {isDraftElsewhere ? (
        <p>{t("confirm.elsewhere")}</p>
      ) : session == null ? (
        <Link to="/sign-in" className={buttonStyle("primary")}>
          {t("signIn.title")}
        </Link>
      ) : (
        <Link to="/" className={buttonStyle("primary")}>
          {t("confirm.goOn")}
        </Link>
      )}
    </div>
  );
}

/** Says why the link failed, and how to get another. */
function Again({ text }: { readonly text: string }) {
  const { t } = useTranslation("session");
  const { data: session } = useQuery(sessionQuery);
  const isConfirmed = session?.account.isEmailConfirmed === true;
  return (
    <div className="flex flex-col gap-4">
      <p role="alert">{isConfirmed ? t("confirm.isDone", { email: session.account.email }) : text}</p>
      {session === null && (
        <>
          <p className="text-sm text-quiet">{t("confirm.signInFirst")}</p>
          <Link to="/sign-in" search={{ next: "/confirm-email" }} className={buttonStyle("primary")}>
            {t("signIn.title")}
          </Link>
        </>
      )}
      {session != null && !isConfirmed && <SendConfirmation />}
      {isConfirmed && (
        <Link to="/" className={buttonStyle("primary")}>
          {t("confirm.goOn")}
        </Link>
      )}
    </div>
  );
}
