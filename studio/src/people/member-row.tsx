import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Member } from "creative-packs/internal";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { queryClient, sessionQuery, workspacesQuery } from "#api/queries.ts";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { ConfirmButton } from "#ui/confirm-button.tsx";
import { Moment } from "#ui/moment.tsx";
import { tell } from "#ui/toast.ts";
import { membersQuery } from "./use-invite.ts";

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
    tell(t("remove.done", { name }));
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
            confirm={t(`${words}.text`)}
            onConfirm={remove}
          />
        )}
      </td>
    </tr>
  );
}
