import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient, sessionQuery, workspacesQuery } from "#api/queries.ts";
import { AccountFrame } from "#session/account-frame.tsx";
import { Button, buttonStyle } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";

/** Storage key of the invitation code. It is stored during sign-in, because the fragment is lost. */
const WAITING = "creative-packs.invitation";

function readCode(): string {
  const code = location.hash.slice(1);
  if (code !== "") sessionStorage.setItem(WAITING, code);
  return sessionStorage.getItem(WAITING) ?? "";
}

/** Accepts an invitation and joins its workspace. */
export function InvitationPage() {
  const { t } = useTranslation("people");
  const [code] = useState(readCode);
  return (
    <AccountFrame title={t("accept.title")}>
      <p className="text-sm text-quiet">{t("accept.text")}</p>
      {code === "" ? <p className="text-sm">{t("accept.noCode")}</p> : <Accept code={code} />}
    </AccountFrame>
  );
}

function Accept({ code }: { readonly code: string }) {
  const { t } = useTranslation("people");
  const { t: session } = useTranslation("session");
  const navigate = useNavigate();
  const { data } = useQuery(sessionQuery);
  const accept = useMutation({
    mutationFn: () => callAccount("acceptInvitation", { json: { code } }),
    onSuccess: async ({ workspaceId }) => {
      sessionStorage.removeItem(WAITING);
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      await navigate({ to: "/w/$workspaceId/packs", params: { workspaceId } });
    },
  });
  if (data === null) {
    return (
      <div className="flex flex-col gap-3">
        <p className="text-sm">{t("accept.signIn")}</p>
        <Link to="/sign-in" search={{ next: "/invitation" }} className={buttonStyle("primary")}>
          {session("signIn.title")}
        </Link>
        <Link to="/sign-up" search={{ next: "/invitation" }} className={buttonStyle("secondary")}>
          {session("signUp.title")}
        </Link>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <ErrorNote error={accept.error} />
      <Button kind="primary" isBusy={accept.isPending} onClick={() => accept.mutate()}>
        {t("accept.submit")}
      </Button>
    </div>
  );
}
