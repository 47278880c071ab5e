import { queryOptions, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { queryClient, sessionQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { hasContent } from "./draft.ts";
import {
  announce,
  copyDraft,
  dropDraft,
  type ListedDraft,
  listDrafts,
  readDraft,
  writeDraft,
} from "./draft-storage.ts";
import { newDraft } from "./editor-store.ts";

/** Drafts are kept per account and workspace, because several users may share a browser. */

/**
 * Scope of the drafts of the user in the open workspace. Null until the account is known. Does not change when the
 * session ends.
 */
export function useDraftScope(): string | null {
  const workspaceId = useWorkspaceId();
  const { data: session } = useQuery(sessionQuery);
  const accountId = useRef<string | null>(null);
  accountId.current = session?.account.accountId ?? accountId.current;
  return accountId.current === null ? null : `${accountId.current}/${workspaceId}`;
}

/**
 * Drafts with content, last changed first, except ordered drafts without later changes. Reads only this browser's
 * storage.
 */
export const draftsQuery = (scope: string | null) =>
  queryOptions({
    queryKey: ["drafts", scope],
    queryFn: async () => (scope === null ? [] : (await listDrafts(scope)).filter(isListed)),
    networkMode: "always",
    staleTime: 0,
    retry: false,
  });

const isOrdered = ({ ordered, history }: ListedDraft): boolean => ordered === history.present;
const isEmpty = (draft: ListedDraft): boolean =>
  !hasContent(draft.history.present) && draft.name === "" && draft.order === null;
const isListed = (draft: ListedDraft): boolean => !isOrdered(draft) && !isEmpty(draft);

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["drafts"] });

/**
 * Ids of drafts that this page created. If the browser could not store a draft, it opens empty and is not reported as
 * missing.
 */
const begun = new Set<string>();
export const isNewDraft = (draftId: string): boolean => begun.has(draftId);

const DAY_MS = 86_400_000;

/** Id of the draft to open: the last changed draft that was not ordered, or else a new one. */
export async function lastDraft(scope: string): Promise<string> {
  const drafts = await listDrafts(scope).catch(() => []);
  const last = drafts.find((draft) => !isOrdered(draft));
  return last === undefined ? beginDraft(scope) : last.draftId.slice(scope.length + 1);
}

/** Creates a draft and returns its id. Deletes unlisted drafts that were not changed for a day. */
export async function beginDraft(scope: string): Promise<string> {
  const id = crypto.randomUUID();
  begun.add(`${scope}/${id}`);
  try {
    await writeDraft(newDraft, `${scope}/${id}`);
    for (const draft of await listDrafts(scope)) {
      if (!isListed(draft) && draft.updatedAt < Date.now() - DAY_MS) await dropDraft(draft.draftId);
    }
  } catch {
    // Ignored, because the editor shows that this browser stores nothing.
  }
  return id;
}

export async function renameDraft(draftId: string, name: string): Promise<void> {
  const draft = await readDraft(draftId);
  if (draft !== null) await writeDraft({ ...draft, name }, draftId);
  announce({ draftId, name });
  await refresh();
}

/** Copies a draft with its files. */
export async function duplicateDraft(scope: string, draft: ListedDraft, name: string): Promise<void> {
  const changes = { name, order: null, versionOf: null, ordered: null };
  await copyDraft(draft.draftId, `${scope}/${crypto.randomUUID()}`, changes);
  await refresh();
}

export async function deleteDraft(draftId: string): Promise<void> {
  announce({ draftId, name: null });
  await dropDraft(draftId);
  await refresh();
}
