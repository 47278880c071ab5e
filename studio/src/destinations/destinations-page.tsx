import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { EmptyState, Loading, Page } from "#ui/page.tsx";
import { CreateStoreDialog } from "./create-store-dialog.tsx";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";
import { Deliveries } from "./deliveries.tsx";
import { DestinationCard } from "./destination-card.tsx";
import { destinationsQuery } from "./destinations-queries.ts";

/** Stores and webhooks, and their deliveries. */
export function DestinationsPage() {
  const { t } = useTranslation("destinations");
  const workspaceId = useWorkspaceId();
  const [creating, setCreating] = useState<"webhook" | "store" | null>(null);
  const { data, error, isPending } = useQuery(destinationsQuery(workspaceId));
  const close = () => setCreating(null);
  const actions = (
    <>
      <Button onClick={() => setCreating("webhook")}>{t("new.webhook")}</Button>
      <Button onClick={() => setCreating("store")}>{t("new.store")}</Button>
    </>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={actions}>
      {isPending && <Loading />}
      <ErrorNote error={error} />
      {data?.length === 0 && <EmptyState title={t("empty.title")} text={t("empty.text")} />}
      <ul className="grid gap-4 lg:grid-cols-2">
        {data?.map((destination) => (
          <li key={destination.destinationId}>
            <DestinationCard destination={destination} />
          </li>
        ))}
      </ul>
      {data !== undefined && <Deliveries destinations={data} />}
      {creating === "webhook" && <CreateWebhookDialog onClose={close} />}
      {creating === "store" && <CreateStoreDialog onClose={close} />}
    </Page>
  );
}
