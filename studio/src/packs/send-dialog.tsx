import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { callAccount } from "#api/account.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { destinationName } from "#destinations/destination-card.tsx";
import { destinationsQuery, refreshDestinations } from "#destinations/destinations-queries.ts";
import { Button, buttonStyle } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Loading } from "#ui/page.tsx";
import { Select } from "#ui/select.tsx";
import { showToast } from "#ui/toast.ts";

interface SendDialogProps {
  readonly artifactId: string;
  readonly onClose: () => void;
}

/** Sends a pack to one of the workspace's destinations. */
export function SendDialog({ artifactId, onClose }: SendDialogProps) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const { data, error } = useQuery(destinationsQuery(workspaceId));
  const usable = (data ?? []).filter(({ status }) => status === "active");
  const [chosen, setChosen] = useState<string | null>(null);
  const destinationId = chosen ?? usable[0]?.destinationId;
  const send = useMutation({
    mutationFn: (id: string) =>
      callAccount("createDelivery", { path: { artifactId }, json: { destinationId: id } }),
    onSuccess: async () => {
      await refreshDestinations(workspaceId);
      showToast(t("send.done"));
      onClose();
    },
  });
  return (
    <Dialog title={t("send.title")} isOpen onClose={onClose}>
      <div className="flex flex-col items-start gap-4">
        <ErrorNote error={error} />
        {data === undefined && error === null && <Loading />}
        {data !== undefined && destinationId === undefined && (
          <>
            <p className="text-sm">{t("send.none")}</p>
            <Link
              to="/w/$workspaceId/destinations"
              params={{ workspaceId }}
              className={buttonStyle("primary")}
            >
              {t("send.make")}
            </Link>
          </>
        )}
        {destinationId !== undefined && (
          <>
            <Select
              label={t("send.choose")}
              value={destinationId}
              options={usable.map((each) => ({ value: each.destinationId, text: destinationName(each) }))}
              onChange={setChosen}
            />
            <ErrorNote error={send.error} />
            <Button kind="primary" isBusy={send.isPending} onClick={() => send.mutate(destinationId)}>
              {t("send.submit")}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}
