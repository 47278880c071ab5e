import { queryOptions } from "@tanstack/react-query";
import { callAccount } from "#api/account.ts";

/** Members, first comers first, and open invitations. */
export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "members"],
    queryFn: ({ signal }) => callAccount("listMembers", { path: { workspaceId }, signal }),
  });
