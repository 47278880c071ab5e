import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { workspacesQuery } from "#api/queries.ts";
import { Select } from "#ui/select.tsx";
import { useWorkspaceId } from "./workspace.ts";

/** Which workspace is open. Shown where the person has several. */
export function WorkspaceMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const open = useWorkspaceId();
  const { data = [] } = useQuery(workspacesQuery);
  if (data.length < 2) return null;
  return (
    <Select
      label={t("workspace.choose")}
      isLabelHidden
      value={open}
      options={data.map(({ workspaceId, name }) => ({ value: workspaceId, text: name }))}
      onChange={(workspaceId) => navigate({ to: "/w/$workspaceId/packs", params: { workspaceId } })}
    />
  );
}
