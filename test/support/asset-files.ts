import type { AssetFile } from "./assets.ts";
import { png, SVG } from "./files.ts";

/** Files with what their sender declares of them. */

const PNG_360 = png(480, 360);

/** A picture for the `media` slot, 480x360. */
export const mediaFile: AssetFile = {
  slotId: "media",
  fileName: "campaign.png",
  mimeType: "image/png",
  bytes: PNG_360,
  width: 480,
  height: 360,
};

/** The same size with other pixels. */
export const otherMediaFile: AssetFile = { ...mediaFile, bytes: png(480, 360, { tint: 200 }) };

export const logoFile: AssetFile = {
  slotId: "logo",
  fileName: "mark.svg",
  mimeType: "image/svg+xml",
  bytes: SVG,
};
