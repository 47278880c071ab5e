import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callAccount } from "../api/account.ts";
import { queryClient } from "../api/queries.ts";
import { useWorkspaceId } from "../app/workspace.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Secret } from "../ui/secret.tsx";
import { tellError } from "../ui/toast.ts";
import { membersQuery } from "./members-query.ts";

/** The code is in the fragment, which browsers send to no server. */
const linkOf = (code: string): string => `${location.origin}/invitation#${code}`;

/** Makes an invitation and shows its link once. */
export function InviteButton() {
  const { t } = useTranslation("people");
  const workspaceId = useWorkspaceId();
  const invite = useMutation({
    mutationFn: () => callAccount("createInvitation", { path: { workspaceId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: membersQuery(workspaceId).queryKey }),
    onError: tellError,
  });
  return (
    <>
      <Button kind="primary" isBusy={invite.isPending} onClick={() => invite.mutate()}>
        {t("invite.text")}
      </Button>
      {invite.isSuccess && (
        <Dialog title={t("invite.title")} isOpen onClose={() => invite.reset()}>
          <Secret label={t("invite.label")} text={linkOf(invite.data.code)} note={t("invite.note")} />
        </Dialog>
      )}
    </>
  );
}
