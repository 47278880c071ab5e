import type { ArtifactFile } from "creative-packs";
import { uploadName } from "creative-packs-service/file-names";
import type { SizeGroup } from "#ui/size-tiles.tsx";
import type { PackSize } from "./pack-files.ts";

/** A file under the name that its network's upload expects. */
export interface NamedFile {
  readonly name: string;
  readonly file: ArtifactFile;
}

/**
 * The networks that accept files of a pack, each with all files it accepts: its own, and those of other networks that keep
 * its rules. If two files have the same width and height, the network's own is used.
 */
export function sizesByNetwork(sizes: readonly PackSize[]): readonly SizeGroup<PackSize>[] {
  const takers = sizes.flatMap(({ file }) => file.compliance.acceptedBy);
  return [...new Set([...sizes.map(({ group }) => group), ...takers])].map((group) => {
    const accepted = sizes.filter(({ file }) => file.compliance.acceptedBy.includes(group));
    const taken = [...accepted, ...sizes.filter((size) => size.group === group)];
    const byPixels = new Map(taken.map((size) => [`${size.file.width}x${size.file.height}`, size]));
    return { group, sizes: [...byPixels.values()] };
  });
}

/** The files of some sizes, backups included, named for an upload. */
export const namedFiles = (sizes: readonly PackSize[], zipName: string): readonly NamedFile[] =>
  sizes.flatMap(({ file, backup }) =>
    [file, ...(backup === null ? [] : [backup])].map((one) => ({
      name: uploadName(zipName, one, file),
      file: one,
    })),
  );
