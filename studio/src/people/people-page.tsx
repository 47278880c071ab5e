import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { ErrorNote } from "#ui/error-note.tsx";
import { Loading, Page } from "#ui/page.tsx";
import { Table } from "#ui/table.tsx";
import { InviteButton } from "./invite-button.tsx";
import { MemberRow } from "./member-row.tsx";
import { OpenInvitations } from "./open-invitations.tsx";
import { membersQuery } from "./use-invite.ts";

const COLUMNS = ["name", "role", "since", "action"] as const;

/** Who is in the workspace, and who was asked in. */
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
