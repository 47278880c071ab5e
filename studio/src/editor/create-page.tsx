import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { useDraftLock } from "./draft/draft-lock.ts";
import { beginDraft, lastDraft, useDraftScope } from "./draft/drafts.ts";
import { useStoredDraft } from "./draft/use-stored-draft.ts";
import { Editor } from "./editor.tsx";

/** Opens the editor for the draft in the address, if this tab holds the draft's lock. */
export function CreatePage() {
  const scope = useDraftScope();
  const { draft } = useSearch({ from: "/w/$workspaceId/create" });
  if (scope === null) return <Loading />;
  if (draft === undefined || draft === "new")
    return <ChooseDraft key={`${scope}/${draft}`} scope={scope} isNew={draft === "new"} />;
  const draftId = `${scope}/${draft}`;
  return <HeldDraft key={draftId} draftId={draftId} />;
}

/** Adds the draft's id to an address without one. */
function ChooseDraft({ scope, isNew }: { readonly scope: string; readonly isNew: boolean }) {
  const workspaceId = useWorkspaceId();
  const { data } = useQuery({
    queryKey: ["choose-draft", scope, isNew],
    queryFn: () => (isNew ? beginDraft(scope) : lastDraft(scope)),
    networkMode: "always",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (data === undefined) return <Loading />;
  return (
    <Navigate
      to="/w/$workspaceId/create"
      params={{ workspaceId }}
      search={(search) => ({ ...search, draft: data })}
      replace
    />
  );
}

function HeldDraft({ draftId }: { readonly draftId: string }) {
  const { t } = useTranslation("editor");
  const { hold, take } = useDraftLock(draftId);
  if (hold === "mine") return <OpenDraft draftId={draftId} />;
  if (hold === "asking") return <Loading />;
  return (
    <Page title={t("title")}>
      <EmptyState
        title={t("elsewhere.title")}
        text={t("elsewhere.text")}
        action={
          <Button kind="primary" onClick={take}>
            {t("elsewhere.take")}
          </Button>
        }
      />
    </Page>
  );
}

function OpenDraft({ draftId }: { readonly draftId: string }) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const open = useStoredDraft(draftId);
  if (open === null) return <Loading />;
  if (open !== "missing") return <Editor {...open} />;
  return (
    <Page title={t("title")}>
      <EmptyState
        title={t("missing.title")}
        text={t("missing.text")}
        action={
          <Link
            to="/w/$workspaceId/create"
            params={{ workspaceId }}
            search={{ draft: "new" }}
            className={buttonStyle("primary")}
          >
            {t("title")}
          </Link>
        }
      />
    </Page>
  );
}
