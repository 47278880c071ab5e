import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsOwner, useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState, Page } from "#ui/page.tsx";
import { PagedTable } from "#ui/table.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { ImageSecrets } from "./image-secrets.tsx";
import { KeyRow, keysQuery } from "./key-row.tsx";

const COLUMNS = ["name", "state", "scopes", "budget", "used", "ends", "action"] as const;

/** The workspace's keys, for owners. */
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
      {isOwner ? <KeyTable create={create} /> : <p className="text-sm">{t("ownersOnly")}</p>}
      {isOwner && <ImageSecrets />}
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

function KeyTable({ create }: { readonly create: ReactNode }) {
  const { t } = useTranslation("keys");
  return (
    <PagedTable
      query={useInfiniteQuery(keysQuery(useWorkspaceId()))}
      label={t("title")}
      heads={COLUMNS.map((column) => t(`heads.${column}`))}
      empty={<EmptyState title={t("empty.title")} text={t("empty.text")} action={create} />}
      row={(key) => <KeyRow key={key.apiKeyId} apiKey={key} />}
    />
  );
}
