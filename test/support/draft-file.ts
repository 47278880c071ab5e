import type { DraftFile } from "../../studio/src/editor/draft/draft.ts";

/** A photo of a draft in the Studio's editor. `more` replaces fields. */
export const draftFile = (more: Partial<DraftFile> = {}): DraftFile => ({
  sha256: "0".repeat(64),
  name: "IMG_0001",
  mimeType: "image/jpeg",
  byteLength: 1_000,
  width: 1_200,
  height: 800,
  isCutOut: false,
  colours: [],
  ...more,
});
