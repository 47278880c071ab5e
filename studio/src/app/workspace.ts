import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { workspacesQuery } from "#api/queries.ts";

/** Id of the open workspace. Works only below the route `/w/$workspaceId`. */
export const useWorkspaceId = (): string => useParams({ from: "/w/$workspaceId" }).workspaceId;

/** Whether the user owns the open workspace. Only owners order, buy and manage; members can only view. */
export function useIsOwner(): boolean {
  const workspaceId = useWorkspaceId();
  const { data } = useQuery(workspacesQuery);
  return data?.find((one) => one.workspaceId === workspaceId)?.role === "owner";
}
