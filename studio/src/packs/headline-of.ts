import type { Artifact, ArtifactFile } from "creative-packs";

/** The headline as it stands on a file; null where it has none. */
const headlineOnFile = ({ layout }: ArtifactFile): string | null =>
  layout.elements.find(({ role }) => role === "headline")?.lines?.join(" ") ?? null;

/** What a pack says: the longest headline that any of its files has room for. */
export const headlineOf = ({ files }: Artifact): string | null =>
  files
    .map(headlineOnFile)
    .filter((headline) => headline !== null)
    .sort((a, b) => b.length - a.length)[0] ?? null;
