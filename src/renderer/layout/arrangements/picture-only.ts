import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { inset } from "../design/boxes.ts";
import { type Brief, type Design, isHeroOnSurface, NO_SCRIMS, NO_TEXT } from "../design/design.ts";
import { logoHeightPxMin, sizeLogo } from "../design/place-elements.ts";
import { coverRegion, standInRegion } from "../pictures/place-pictures.ts";

/** A pack without text: the picture fills the canvas or stands alone, with the logo in a corner. */
export function pictureOnly(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const isOnSurface = isHeroOnSurface(brief);
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
        ? quietCorner(brief, content, logoSize)
        : { x: Math.round(content.x), y: Math.round(content.y), ...logoSize };
  if (!isOnSurface) {
    const pictures = coverRegion(brief, { x: 0, y: 0, width, height });
    return { surface: "flat", pictures, ...NO_SCRIMS, logo, ...NO_TEXT };
  }
  const isWide = width / height > 1.6;
  const taken = logo === null ? 0 : isWide ? logo.width + scale.marginPx : logo.height + scale.marginPx;
  const free: Box = isWide
    ? { ...content, x: content.x + taken, width: content.width - taken }
    : { ...content, y: content.y + taken, height: content.height - taken };
  const region = brief.family === "person" ? { ...free, height: height - free.y } : free;
  const pictures = standInRegion(brief, region, scale.cornerRadiusPx);
  return { surface: "lit", pictures, ...NO_SCRIMS, logo, ...NO_TEXT };
}

type LogoSize = { readonly width: number; readonly height: number };

/** The corner where a logo covers the least saliency; on a tie, the first. */
function quietCorner(brief: Brief, content: Box, size: LogoSize): Box {
  const left = Math.round(content.x);
  const right = Math.round(content.x + content.width - size.width);
  const top = Math.round(content.y);
  const bottom = Math.round(content.y + content.height - size.height);
  const first: Box = { x: left, y: top, ...size };
  const others = [
    [right, top],
    [left, bottom],
    [right, bottom],
  ] as const;
  const corners = others.map(([x, y]) => ({ x, y, ...size }));
  const floor = 0.05 - brief.saliencyUnder(first);
  return bestScored(corners, (corner) => -brief.saliencyUnder(corner), floor) ?? first;
}
