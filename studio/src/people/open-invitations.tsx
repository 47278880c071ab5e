import type { Invitation } from "creative-packs/internal";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient } from "#api/queries.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { ConfirmButton } from "#ui/confirm-button.tsx";
import { Moment } from "#ui/moment.tsx";
import { tell } from "#ui/toast.ts";
import { membersQuery } from "./use-invite.ts";

/** Invitations that nobody took yet. Their links are not shown again. */
export function OpenInvitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const { t } = useTranslation("people");
  if (invitations.length === 0) return null;
  return (
    <section aria-labelledby="open-invitations" className="flex flex-col gap-3">
      <h2 id="open-invitations" className="text-base font-semibold">
        {t("open.title")}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line bg-card">
        {invitations.map((invitation) => (
          <OpenInvitation key={invitation.invitationId} invitation={invitation} />
        ))}
      </ul>
    </section>
  );
}

function OpenInvitation({ invitation }: { readonly invitation: Invitation }) {
  const { t } = useTranslation("people");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { invitationId, expiresAt } = invitation;
  const withdraw = async () => {
    await callAccount("withdrawInvitation", { path: { workspaceId, invitationId } });
    await queryClient.invalidateQueries({ queryKey: membersQuery(workspaceId).queryKey });
    tell(t("open.done"));
  };
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-2.5 text-sm">
      <span>
        {t("open.ends")}: <Moment at={expiresAt} />
      </span>
      {isOwner && (
        <ConfirmButton
          text={t("open.withdraw")}
          question={t("open.question")}
          consequence={t("open.consequence")}
          confirm={t("open.withdraw")}
          onConfirm={withdraw}
        />
      )}
    </li>
  );
}
