import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Button } from "#ui/button.tsx";
import { saveAs } from "#ui/save-as.ts";
import { tellError } from "#ui/toast.ts";
import { fileQuery } from "./pack-queries.ts";

interface DownloadButtonProps {
  readonly artifactId: string;
  readonly fileId: string;
  readonly fileName: string;
}

/** Saves one file: the very bytes that the page shows. */
export function DownloadButton({ artifactId, fileId, fileName }: DownloadButtonProps) {
  const { t } = useTranslation("packs");
  const workspaceId = useWorkspaceId();
  const download = useMutation({
    mutationFn: () => queryClient.fetchQuery(fileQuery(workspaceId, artifactId, fileId)),
    onSuccess: (file) => saveAs(file, fileName),
    onError: tellError,
  });
  return (
    <Button
      kind="quiet"
      isBusy={download.isPending}
      aria-label={t("pack.downloadOf", { name: fileName })}
      onClick={() => download.mutate()}
    >
      {t("pack.download")}
    </Button>
  );
}
