import { useMutation } from "@tanstack/react-query";
import type { Artifact, ArtifactFile } from "creative-packs";
import { uploadName } from "creative-packs-service/file-names";
import { zipSync } from "fflate";
import { ChevronDown, Download, FolderDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { Button } from "#ui/button.tsx";
import { Menu } from "#ui/menu.tsx";
import { saveAs } from "#ui/save-as.ts";
import type { SizeGroup } from "#ui/size-tiles.tsx";
import { showErrorToast } from "#ui/toast.ts";
import { type PackSize, sizesOfPack } from "./pack-files.ts";
import { fileQuery } from "./pack-queries.ts";
import { useSaveToFolder } from "./save-to-folder.tsx";

/** A file under the name that its network's upload expects. */
interface NamedFile {
  readonly name: string;
  readonly file: ArtifactFile;
}

/**
 * Networks that accept files of a pack, each with the files that it accepts: its own files, and other networks' files
 * that meet its rules. If two have equal dimensions, the network's own file is used.
 */
function sizesByNetwork(sizes: readonly PackSize[]): readonly SizeGroup<PackSize>[] {
  const takers = sizes.flatMap(({ file }) => file.compliance.acceptedBy);
  return [...new Set([...sizes.map(({ group }) => group), ...takers])].map((group) => {
    const accepted = sizes.filter(({ file }) => file.compliance.acceptedBy.includes(group));
    const taken = [...accepted, ...sizes.filter((size) => size.group === group)];
    const byPixels = new Map(taken.map((size) => [`${size.file.width}x${size.file.height}`, size]));
    return { group, sizes: [...byPixels.values()] };
  });
}

/** Files of the given sizes, including backups, with the names for the upload. */
const namedFiles = (sizes: readonly PackSize[], zipName: string): readonly NamedFile[] =>
  sizes.flatMap(({ file, backup }) =>
    [file, ...(backup === null ? [] : [backup])].map((one) => ({
      name: uploadName(zipName, one, file),
      file: one,
    })),
  );

/** Downloads the whole pack, one network's files, or all files into a folder. */
export function DownloadMenu({ pack }: { readonly pack: Artifact }) {
  const { t } = useTranslation("packs");
  const { groupName } = useSizeNames();
  const workspaceId = useWorkspaceId();
  const { artifactId } = pack;
  const networks = sizesByNetwork(sizesOfPack(pack, undefined));
  /** A short-lived link to the whole pack, and its name. */
  const readLink = () => clientOf(workspaceId).artifacts.getDownload(artifactId);
  const readFile = ({ file }: NamedFile): Promise<Blob> =>
    queryClient.fetchQuery(fileQuery(workspaceId, artifactId, file.fileId));
  const all = useMutation({
    mutationFn: readLink,
    onSuccess: ({ url }) => location.assign(url),
    onError: showErrorToast,
  });
  /** One network's files, zipped in the browser from the files on the page. */
  const some = useMutation({
    mutationFn: async ({ group, sizes }: SizeGroup<PackSize>) => {
      const { fileName } = await readLink();
      const named = await Promise.all(
        namedFiles(sizes, fileName).map(async (one) => {
          const blob = await readFile(one);
          return [one.name, new Uint8Array(await blob.arrayBuffer())] as const;
        }),
      );
      // All files are compressed already.
      const zip = new Blob([zipSync(Object.fromEntries(named), { level: 0 })], { type: "application/zip" });
      saveAs(zip, fileName.replace(/\.zip$/, `-${group}.zip`));
    },
    onError: showErrorToast,
  });
  const { save, dialog } = useSaveToFolder(async () => {
    const { fileName } = await readLink();
    return networks.flatMap(({ group, sizes }) =>
      namedFiles(sizes, fileName).map((one) => ({ ...one, folder: group, read: () => readFile(one) })),
    );
  });
  return (
    <div
      data-foot-bar
      className="z-20 flex max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:border-t max-sm:border-line max-sm:bg-paper max-sm:px-4 max-sm:py-3 [&>button]:min-h-9 max-sm:[&>button]:min-h-12 [&>button:first-child]:flex-1 [&>button:first-child]:rounded-r-none [&>button:first-child]:border-r-paper [&>button:nth-child(2)]:rounded-l-none [&>button:nth-child(2)]:px-2.5"
    >
      <Button kind="primary" isBusy={all.isPending || some.isPending} onClick={() => all.mutate()}>
        <Download size={16} />
        {t("pack.zip")}
      </Button>
      <Menu kind="primary" label={t("pack.byNetwork")} text={<ChevronDown size={16} />}>
        {window.showDirectoryPicker !== undefined && (
          <>
            <Menu.Item onClick={() => save()}>
              <FolderDown size={16} className="text-quiet" />
              {t("folder.save")}
            </Menu.Item>
            <Menu.Separator />
          </>
        )}
        <div className="max-h-[60dvh] overflow-y-auto">
          <Menu.Heading>{t("pack.networkZips")}</Menu.Heading>
          {networks.map((network) => (
            <Menu.Item key={network.group} onClick={() => some.mutate(network)}>
              {groupName(network.group)}
              <span className="ml-auto pl-4 text-xs text-quiet tabular-nums">
                {t("sizes", { count: network.sizes.length })}
              </span>
            </Menu.Item>
          ))}
        </div>
      </Menu>
      {dialog}
    </div>
  );
}
