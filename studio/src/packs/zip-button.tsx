import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { tellError } from "#ui/toast.ts";

/** Asks for a short-lived link to the whole pack, and lets the browser save what it leads to. */
export function ZipButton({ artifactId }: { readonly artifactId: string }) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const download = useMutation({
    mutationFn: () => clientOf(workspaceId).artifacts.getDownload(artifactId),
    onSuccess: ({ url }) => location.assign(url),
    onError: tellError,
  });
  return (
    <Button kind="primary" isBusy={download.isPending} onClick={() => download.mutate()}>
      {t("pack.zip")}
    </Button>
  );
}
