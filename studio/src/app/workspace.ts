import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { workspacesQuery } from "#api/queries.ts";

/** The id of the workspace whose page is open. Only below `/w/$workspaceId`. */
export const useWorkspaceId = (): string => useParams({ from: "/w/$workspaceId" }).workspaceId;

/** Whether the person owns the open workspace: owners order, and see to keys and people; members look. */
export function useIsOwner(): boolean {
  const workspaceId = useWorkspaceId();
  const { data } = useQuery(workspacesQuery);
  return data?.find((one) => one.workspaceId === workspaceId)?.role === "owner";
}
