import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { sessionQuery } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { useDraftLock } from "./draft/draft-lock.ts";
import { useKeptDraft } from "./draft/use-kept-draft.ts";
import { Editor } from "./editor.tsx";

/** The page where a pack is made: for the one tab that has the workspace's draft. */
export function CreatePage() {
  const workspaceId = useWorkspaceId();
  const { data: session } = useQuery(sessionQuery);
  // When the session ends while the page stands, its draft stays open.
  const accountId = useRef<string | null>(null);
  accountId.current = session?.account.accountId ?? accountId.current;
  if (accountId.current === null) return <Loading />;
  // A browser may be several people's: each has drafts of their own.
  const draftId = `${accountId.current}/${workspaceId}`;
  return <HeldDraft key={draftId} draftId={draftId} />;
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
  const open = useKeptDraft(draftId);
  return open === null ? <Loading /> : <Editor {...open} />;
}
