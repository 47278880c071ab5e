import type { Artifact, ArtifactFile, Contract } from "creative-packs";
import { inTileOrder } from "#ui/size-tiles.tsx";

/** One size of a pack: its file, and the backup image that some networks require with an animation. */
export interface PackSize {
  readonly sizeId: string;
  readonly group: string;
  readonly file: ArtifactFile;
  readonly backup: ArtifactFile | null;
}

/** Network in a size's id, such as `meta-feed` in `meta-feed-1080x1080`. */
export const networkOfId = (sizeId: string): string => sizeId.replace(/-\d+x\d+$/, "");

/**
 * A pack's sizes in display order: by network, and very wide sizes last. For a size that is not in the contract, the
 * network is taken from its id.
 */
export function sizesOfPack({ files }: Artifact, contract: Contract | undefined): readonly PackSize[] {
  const groupOf = new Map(contract?.sizes.map(({ sizeId, group }) => [sizeId, group]));
  const backups = new Map(files.filter(({ role }) => role === "backup").map((file) => [file.sizeId, file]));
  const sizes = files
    .filter(({ role }) => role === "primary")
    .map((file) => ({
      sizeId: file.sizeId,
      group: groupOf.get(file.sizeId) ?? networkOfId(file.sizeId),
      file,
      backup: backups.get(file.sizeId) ?? null,
    }));
  return inTileOrder(sizes, ({ file }) => file);
}

/** Whether a file is animated. */
export const isAnimated = ({ durationMs }: ArtifactFile): boolean => durationMs !== undefined;

/** The file that a tile shows. Banners and paused videos show their backup image. */
export const tileFileOf = ({ file, backup }: PackSize, isPlaying: boolean): ArtifactFile =>
  file.contentType === "application/zip" || (file.contentType === "video/mp4" && !isPlaying)
    ? (backup ?? file)
    : file;

/** Whether every file of a size meets its network's rules. */
export const keepsRules = ({ file, backup }: PackSize): boolean =>
  file.compliance.verdict === "pass" && backup?.compliance.verdict !== "fail";
