import { useMutation } from "@tanstack/react-query";
import type { Artifact } from "creative-packs";
import { zipSync } from "fflate";
import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { Button } from "#ui/button.tsx";
import { Menu } from "#ui/menu.tsx";
import { saveAs } from "#ui/save-as.ts";
import { groupSizes } from "#ui/size-tiles.tsx";
import { tellError } from "#ui/toast.ts";
import { type PackSize, sizesOfPack } from "./pack-files.ts";
import { fileQuery } from "./pack-queries.ts";

/** Downloads the whole pack, or the files of one network. */
export function DownloadMenu({ pack }: { readonly pack: Artifact }) {
  const { t } = useTranslation("packs");
  const { groupName } = useSizeNames();
  const workspaceId = useWorkspaceId();
  const { artifactId } = pack;
  /** A short-lived link to the whole pack, which the browser saves. */
  const all = useMutation({
    mutationFn: () => clientOf(workspaceId).artifacts.getDownload(artifactId),
    onSuccess: ({ url }) => location.assign(url),
    onError: tellError,
  });
  /** Files of one network, zipped here: they are the very bytes that the page shows. */
  const some = useMutation({
    mutationFn: async (sizes: readonly PackSize[]) => {
      const files = sizes.flatMap(({ file, backup }) => (backup === null ? [file] : [file, backup]));
      const named = await Promise.all(
        files.map(async ({ fileId, fileName }) => {
          const blob = await queryClient.fetchQuery(fileQuery(workspaceId, artifactId, fileId));
          return [fileName, new Uint8Array(await blob.arrayBuffer())] as const;
        }),
      );
      // All are compressed already.
      return new Blob([zipSync(Object.fromEntries(named), { level: 0 })], { type: "application/zip" });
    },
    onSuccess: (zip, [size]) => saveAs(zip, `${pack.pack.contractId}-${size?.group}.zip`),
    onError: tellError,
  });
  const groups = groupSizes(sizesOfPack(pack, undefined));
  return (
    <div className="flex items-center gap-1">
      <Button kind="primary" isBusy={all.isPending || some.isPending} onClick={() => all.mutate()}>
        {t("pack.zip")}
      </Button>
      {groups.length > 1 && (
        <Menu label={t("pack.byNetwork")} text={<ChevronDown aria-hidden="true" className="size-4" />}>
          <Menu.Item onClick={() => all.mutate()}>
            {t("pack.allFiles")}
            <MenuCount>{t("files", { count: pack.files.length })}</MenuCount>
          </Menu.Item>
          <Menu.Separator />
          {groups.map(({ group, sizes }) => (
            <Menu.Item key={group} onClick={() => some.mutate(sizes)}>
              {groupName(group)}
              <MenuCount>{t("sizes", { count: sizes.length })}</MenuCount>
            </Menu.Item>
          ))}
        </Menu>
      )}
    </div>
  );
}

const MenuCount = ({ children }: { readonly children: string }) => (
  <span className="ml-auto pl-4 text-xs text-quiet tabular-nums">{children}</span>
);
