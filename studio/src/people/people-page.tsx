import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Invitation, Member } from "creative-packs/internal";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient, sessionQuery, workspacesQuery } from "#api/queries.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { ConfirmButton } from "#ui/confirm-button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Moment } from "#ui/moment.tsx";
import { Loading, Page } from "#ui/page.tsx";
import { Table } from "#ui/table.tsx";
import { showToast } from "#ui/toast.ts";
import { InviteButton, membersQuery } from "./invite-button.tsx";

const COLUMNS = ["name", "role", "since", "action"] as const;

/** Members and open invitations of the workspace. */
export function PeoplePage() {
  const { t } = useTranslation("people");
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { data, error, isPending } = useQuery(membersQuery(workspaceId));
  return (
    <Page title={t("title")} lead={t("lead")} actions={isOwner && <InviteButton />}>
      {isPending && <Loading />}
      <ErrorNote error={error} />
      {data !== undefined && (
        <Table label={t("title")} heads={COLUMNS.map((column) => t(`heads.${column}`))}>
          {data.items.map((member) => (
            <MemberRow key={member.accountId} member={member} />
          ))}
        </Table>
      )}
      {data !== undefined && <OpenInvitations invitations={data.invitations} />}
    </Page>
  );
}

/** A member. Owners remove members; a member may leave. */
export function MemberRow({ member }: { readonly member: Member }) {
  const { t } = useTranslation("people");
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { data: session } = useQuery(sessionQuery);
  const { accountId, name, email, role, createdAt } = member;
  const isSelf = session?.account.accountId === accountId;
  const words = isSelf ? "leave" : "remove";
  const remove = async () => {
    await callAccount("removeMember", { path: { workspaceId, accountId } });
    if (isSelf) {
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      await navigate({ to: "/" });
      return;
    }
    await queryClient.invalidateQueries({ queryKey: membersQuery(workspaceId).queryKey });
    showToast(t("remove.done", { name }));
  };
  return (
    <tr>
      <td>
        <div className="font-medium">
          {name} {isSelf && <span className="font-normal text-quiet">({t("you")})</span>}
        </div>
        <div className="text-xs text-quiet">{email}</div>
      </td>
      <td>
        <Badge>{t(`role.${role}`)}</Badge>
      </td>
      <td>
        <Moment at={createdAt} hasTime={false} />
      </td>
      <td>
        {role === "member" && (isOwner || isSelf) && (
          <ConfirmButton
            text={t(`${words}.text`)}
            question={t(`${words}.question`, { name })}
            consequence={t(`${words}.consequence`, { name })}
            onConfirm={remove}
          />
        )}
      </td>
    </tr>
  );
}

/** Open invitations. Their links are not shown again. */
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
    showToast(t("open.done"));
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
          onConfirm={withdraw}
        />
      )}
    </li>
  );
}
