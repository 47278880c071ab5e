import { useMutation } from "@tanstack/react-query";
import type { Destination } from "creative-packs/internal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { ConfirmButton } from "#ui/confirm-button.tsx";
import { Moment } from "#ui/moment.tsx";
import { showErrorToast, showToast } from "#ui/toast.ts";
import { SigningSecretDialog } from "./create-webhook-dialog.tsx";
import { refreshDestinations } from "./destinations-queries.ts";

const TONES = { active: "good", disabled: "bad", paused: "warning" } as const;

/** A destination, its state and its actions. */
export function DestinationCard({ destination }: { readonly destination: Destination }) {
  const { t } = useTranslation("destinations");
  const workspaceId = useWorkspaceId();
  const [secret, setSecret] = useState<string | null>(null);
  const { destinationId, kind, status, statusReason, createdBy } = destination;
  const path = { workspaceId, destinationId };
  const finish = async (done: string) => {
    await refreshDestinations(workspaceId);
    showToast(done);
  };
  const enable = useMutation({
    mutationFn: () => callAccount("enableWorkspaceDestination", { path }),
    onSuccess: () => finish(t("enabled")),
    onError: showErrorToast,
  });
  const test = useMutation({
    mutationFn: () => callAccount("testWorkspaceDestination", { path }),
    onSuccess: () => finish(t("tested")),
    onError: showErrorToast,
  });
  const remove = async () => {
    await callAccount("removeWorkspaceDestination", { path });
    await finish(t("remove.done"));
  };
  const rotate = async () => {
    const { signingSecret } = await callAccount("rotateWorkspaceSigningSecret", { path });
    setSecret(signingSecret);
    await refreshDestinations(workspaceId);
  };
  return (
    <article className="flex h-full flex-col gap-3 rounded-lg border border-line bg-card p-4 text-sm">
      <div className="flex items-start justify-between gap-3">
        <h2 className="font-medium break-all">
          <span className="block text-xs font-normal text-quiet">{t(`kind.${kind}`)}</span>
          {destinationName(destination)}
        </h2>
        <Badge tone={TONES[status]}>{t(`state.${status}`)}</Badge>
      </div>
      {statusReason !== null && (
        <p className="text-amber">
          {t(`reason.${statusReason.code}`, { defaultValue: statusReason.message })}
        </p>
      )}
      {destination.kind === "webhook" && <WebhookFacts webhook={destination} />}
      {createdBy !== null && <p className="text-xs text-quiet">{t("madeBy", { name: createdBy.name })}</p>}
      <div className="mt-auto flex flex-wrap gap-1 pt-1">
        {status !== "active" && (
          <Button isBusy={enable.isPending} onClick={() => enable.mutate()}>
            {t("action.enable")}
          </Button>
        )}
        {kind === "webhook" && status === "active" && (
          <Button isBusy={test.isPending} onClick={() => test.mutate()}>
            {t("action.test")}
          </Button>
        )}
        {kind === "webhook" && (
          <ConfirmButton
            text={t("action.rotate")}
            question={t("rotate.question")}
            consequence={t("rotate.consequence")}
            onConfirm={rotate}
          />
        )}
        <ConfirmButton
          text={t("action.remove")}
          question={t("remove.question")}
          consequence={t("remove.consequence")}
          onConfirm={remove}
        />
      </div>
      {secret !== null && <SigningSecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </article>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Destination & { readonly kind: "webhook" } }) {
  const { t } = useTranslation("destinations");
  const { events, missedAt, previousSecretUntil } = webhook;
  return (
    <>
      <p className="text-quiet">
        {t("events")}: {events.map((event) => t(`event.${event}`)).join(", ")}
      </p>
      {missedAt !== null && (
        <p className="text-amber">
          {t("missed")} <Moment at={missedAt} />
        </p>
      )}
      {previousSecretUntil !== null && (
        <p className="text-quiet">
          {t("oldSecret")} <Moment at={previousSecretUntil} />
        </p>
      )}
    </>
  );
}

/** Name of a destination for users: the URL of a webhook, the bucket and folder of a store. */
export function destinationName(destination: Destination): string {
  if (destination.kind === "webhook") return destination.url;
  const { bucket, prefix, endpoint } = destination;
  return `${prefix === "" ? bucket : `${bucket}/${prefix}`} · ${new URL(endpoint).host}`;
}
