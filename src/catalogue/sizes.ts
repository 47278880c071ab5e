import { HOUSE_ANIMATION, smoothly } from "./animation-rules.ts";
import { type ContractVersion, NETWORK_ROWS, type NetworkRow } from "./network-rows.ts";
import type { SafeArea, Size } from "./types.ts";

/** Converts insets to pixels, rounded up: a partly reserved pixel is reserved. */
const inPixels = (shares: SafeArea, width: number, height: number): SafeArea => ({
  top: Math.ceil(shares.top * height),
  right: Math.ceil(shares.right * width),
  bottom: Math.ceil(shares.bottom * height),
  left: Math.ceil(shares.left * width),
});

/** Google's size groups, whose animated GIFs must have fewer than 5 frames per second. */
const GOOGLE_GROUPS = ["gads", "gads-responsive", "demand-gen"];

/** Since version 3, animations are smoother except in banners and Google's sizes. */
function animationOf({ group, animation = HOUSE_ANIMATION, display }: NetworkRow, version: ContractVersion) {
  const isSlow = version < 3 || display === true || GOOGLE_GROUPS.includes(group);
  return isSlow ? animation : smoothly(animation);
}

function sizeOf(row: NetworkRow, dimensions: string, version: ContractVersion): Size {
  const [width, height] = dimensions.split("x").map(Number);
  if (width === undefined || height === undefined) throw new Error(`not a size: ${dimensions}`);
  const isDisplay = row.display === true;
  const scale2 = version === 1 || row.scale2?.sizes.includes(dimensions) !== true ? undefined : row.scale2;
  const moving = version < 3 ? {} : movingOf(row, dimensions);
  return {
    sizeId: `${row.group}-${dimensions}`,
    group: row.group,
    width,
    height,
    byteCap: row.byteCap,
    byteCapSourceId: row.byteCap === null ? null : (row.byteCapSourceId ?? row.sourceId),
    safeArea: row.safe === undefined ? null : inPixels(row.safe.area, width, height),
    safeAreaSourceId: row.safe?.sourceId ?? null,
    needsBorder: isDisplay,
    borderSourceId: isDisplay ? "google-studio" : null,
    animation: animationOf(row, version),
    ...moving,
    acceptedFormats: [
      ...row.formats,
      ...("banner" in moving ? (["html5"] as const) : []),
      ...("video" in moving ? (["mp4"] as const) : []),
    ],
    ...(scale2 !== undefined && { scale2SourceId: scale2.sourceId }),
    sourceIds: [row.sourceId],
  };
}

/** A network's HTML5 and video rules for a size; absent for formats that it does not accept. */
const movingOf = ({ banner, video }: NetworkRow, dimensions: string): Pick<Size, "banner" | "video"> => ({
  ...(banner !== undefined && { banner }),
  ...(video?.sizes.includes(dimensions) === true && { video: video.rule }),
});

/** Every size in a version of the contracts, by network. */
const sizesOf = (version: ContractVersion): readonly Size[] =>
  NETWORK_ROWS.filter((row) => (row.versions ?? [version]).includes(version)).flatMap((row) =>
    row.sizes.map((dimensions) => sizeOf(row, dimensions, version)),
  );

export const SIZES_V1 = sizesOf(1);
export const SIZES_V2 = sizesOf(2);
/** Every current size. */
export const SIZES = sizesOf(3);
