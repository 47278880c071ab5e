import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { inset } from "../design/boxes.ts";
import { type Brief, type Design, NO_TEXT, type Scrim, standsOnSurface } from "../design/design.ts";
import { logoHeightPxMin, sizeLogo } from "../design/place-elements.ts";
import { coverRegion, standInRegion } from "../pictures/place-pictures.ts";

/** Dense enough for a logo on nearly any photo. */
const FOOT_SCRIM_OPACITY = 0.64;
const FOOT_SCRIM_SHARE_MAX = 0.42;
const FOOT_SALIENCY_MAX = 0.4;
/** On a flatter canvas the foot of the photo reaches into its middle. */
const FOOT_SCRIM_ASPECT_MAX = 2;

/** A pack without text: the picture fills the canvas or stands alone, the logo in a corner. */
export function pictureOnly(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const isOnSurface = standsOnSurface(brief);
  if (brief.hero === null) return null;
  const logoSize =
    brief.logo === null
      ? null
      : sizeLogo(
          brief.logo.aspect,
          scale.logoArea,
          content.width * 0.8,
          Math.max(logoHeightPxMin(brief.logo.aspect), content.height * 0.4),
        );
  if (brief.logo !== null && (logoSize === null || logoSize.height > content.height)) return null;
  const isCornerChosen = !isOnSurface && brief.secondaryHero === null;
  const logo =
    logoSize === null
      ? null
      : isCornerChosen
        ? quietCorner(brief, content, logoSize, brief.needsLogoPlate)
        : { x: Math.round(content.x), y: Math.round(content.y), ...logoSize };
  if (!isOnSurface) {
    return {
      surface: "flat",
      pictures: coverRegion(brief, { x: 0, y: 0, width, height }),
      scrims: brief.needsLogoPlate && logo !== null ? footScrims(brief, logo) : [],
      scrimsOver: "pictures",
      logo,
      ...NO_TEXT,
    };
  }
  const isWide = width / height > 1.6;
  const taken = logo === null ? 0 : isWide ? logo.width + scale.marginPx : logo.height + scale.marginPx;
  const free: Box = isWide
    ? { ...content, x: content.x + taken, width: content.width - taken }
    : { ...content, y: content.y + taken, height: content.height - taken };
  const region = brief.family === "person" ? { ...free, height: height - free.y } : free;
  return {
    surface: "lit",
    pictures: standInRegion(brief, region, scale.cornerRadiusPx),
    scrims: [],
    scrimsOver: "pictures",
    logo,
    ...NO_TEXT,
  };
}

/** A scrim at the photo's foot, under a logo there; none where it would dim what matters or half the photo. */
function footScrims({ width, height, saliencyUnder }: Brief, logo: Box): readonly Scrim[] {
  const reach = height - logo.y;
  const length = Math.round(reach + Math.max(logo.height * 1.6, height * 0.16));
  const box = { x: 0, y: height - length, width, height: length };
  if (width > height * FOOT_SCRIM_ASPECT_MAX || length > height * FOOT_SCRIM_SHARE_MAX) return [];
  if (saliencyUnder(box) > FOOT_SALIENCY_MAX) return [];
  const stops: Scrim["stops"] = [
    { at: 0, opacity: 0 },
    { at: 1 - reach / length, opacity: "adaptive" },
    { at: 1, opacity: "adaptive" },
  ];
  return [{ box, axis: "down", stops, adaptiveOpacityMin: FOOT_SCRIM_OPACITY }];
}

type LogoSize = { readonly width: number; readonly height: number };

/** The corner of the content where a logo hides least of what matters; the first where all are alike. */
function quietCorner(brief: Brief, content: Box, size: LogoSize, isAtFoot: boolean): Box {
  const left = Math.round(content.x);
  const right = Math.round(content.x + content.width - size.width);
  const top = Math.round(content.y);
  const bottom = Math.round(content.y + content.height - size.height);
  const first: Box = { x: left, y: isAtFoot ? bottom : top, ...size };
  const others = [
    [right, top],
    [left, bottom],
    [right, bottom],
  ] as const;
  const corners = (isAtFoot ? others.slice(2) : others).map(([x, y]) => ({ x, y, ...size }));
  const floor = 0.05 - brief.saliencyUnder(first);
  return bestScored(corners, (corner) => -brief.saliencyUnder(corner), floor) ?? first;
}
