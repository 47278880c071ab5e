import { queryOptions, useMutation } from "@tanstack/react-query";
import { callAccount } from "#api/account.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import type { Language } from "#words/words.ts";

/** Whom the mail of an invitation goes to; null for none. */
export type Invitee = { readonly email: string; readonly language: Language } | null;

/** Makes an invitation. */
export function useInvite() {
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: (invitee: Invitee) =>
      callAccount("createInvitation", {
        path: { workspaceId },
        ...(invitee === null ? {} : { json: invitee }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: membersQuery(workspaceId).queryKey }),
  });
}
export type Invite = ReturnType<typeof useInvite>;

/** Members, first comers first, and open invitations. */
export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "members"],
    queryFn: ({ signal }) => callAccount("listMembers", { path: { workspaceId }, signal }),
  });
