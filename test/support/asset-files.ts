import type { AssetFile } from "./assets.ts";
import { png, SVG } from "./files.ts";

/** Files with the declarations of their upload. */

const PNG_360 = png(480, 360);

/** An image for the slot `media`, 480x360. */
export const mediaFile: AssetFile = {
  slotId: "media",
  fileName: "campaign.png",
  mimeType: "image/png",
  bytes: PNG_360,
  width: 480,
  height: 360,
};

/** An image of the same size as `mediaFile` with different pixels. */
export const otherMediaFile: AssetFile = { ...mediaFile, bytes: png(480, 360, { tint: 200 }) };

export const logoFile: AssetFile = {
  slotId: "logo",
  fileName: "mark.svg",
  mimeType: "image/svg+xml",
  bytes: SVG,
};
