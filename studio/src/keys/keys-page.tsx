import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { MoreButton } from "#ui/more-button.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { Table } from "#ui/table.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyRow } from "./key-row.tsx";
import { keysQuery } from "./keys-query.ts";

const COLUMNS = ["name", "state", "scopes", "budget", "used", "ends", "action"] as const;

/** The workspace's keys, for its owners. */
export function KeysPage() {
  const { t } = useTranslation("keys");
  const isOwner = useIsOwner();
  const [isCreating, setIsCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setIsCreating(true)}>
      {t("new")}
    </Button>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={isOwner && create}>
      {isOwner ? <KeyList action={create} /> : <p className="text-sm">{t("ownersOnly")}</p>}
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

function KeyList({ action }: { readonly action: React.ReactNode }) {
  const { t } = useTranslation("keys");
  const workspaceId = useWorkspaceId();
  const query = useInfiniteQuery(keysQuery(workspaceId));
  if (query.isPending) return <Loading />;
  const keys = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <ErrorNote error={query.error} />
      {query.isSuccess && keys.length === 0 && (
        <EmptyState title={t("empty.title")} text={t("empty.text")} action={action} />
      )}
      {keys.length > 0 && (
        <Table label={t("title")} heads={COLUMNS.map((column) => t(`heads.${column}`))}>
          {keys.map((key) => (
            <KeyRow key={key.apiKeyId} apiKey={key} />
          ))}
        </Table>
      )}
      <MoreButton query={query} />
    </>
  );
}
