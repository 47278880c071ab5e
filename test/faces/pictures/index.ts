import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AssetBytes } from "#renderer/index.ts";
import { FACE_API } from "./face-api.ts";
import type { MarkedFace, MarkedPicture } from "./marks.ts";
import { MATERIAL_KIT } from "./material-kit.ts";
import { PAPER_KIT_2 } from "./paper-kit-2.ts";
import { SOFT_UI_DESIGN_SYSTEM } from "./soft-ui-design-system.ts";
import { TABLER_UI } from "./tabler-ui.ts";

export type { MarkedFace, MarkedPicture, SkinTone } from "./marks.ts";

/** Smaller faces, measured against the picture's short edge, need not be found. */
const SHORT_EDGE_SHARE_MIN = 0.05;

export const PICTURES: readonly MarkedPicture[] = [
  ...MATERIAL_KIT,
  ...PAPER_KIT_2,
  ...SOFT_UI_DESIGN_SYSTEM,
  ...FACE_API,
  ...TABLER_UI,
];

/** Whether a face must be found: neither optional nor lower than 5 % of the picture's short edge. */
export const mustBeFound = ({ width, height }: MarkedPicture, { box, isOptional }: MarkedFace): boolean =>
  !isOptional && box.height >= SHORT_EDGE_SHARE_MIN * Math.min(width, height);

/** The picture's bytes, from its package. */
export function assetOf({ path }: MarkedPicture): AssetBytes {
  const bytes = Uint8Array.from(readFileSync(join(import.meta.dirname, "../../../node_modules", path)));
  return { bytes, mimeType: path.toLowerCase().endsWith(".png") ? "image/png" : "image/jpeg" };
}

/** The marked picture whose path ends like that. Throws when there is none, or more than one. */
export function pictureNamed(ending: string): MarkedPicture {
  const named = PICTURES.filter(({ path }) => path.endsWith(`/${ending}`));
  const [picture] = named;
  if (picture === undefined || named.length > 1) throw new Error(`${named.length} pictures end in ${ending}`);
  return picture;
}
