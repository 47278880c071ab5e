import type { Box } from "../types.ts";
import type { Brief, PictureTraits, PlacedPicture } from "./design.ts";

/** Two pictures share a region by this ratio, so that one leads. */
const LEAD_SHARE = 0.58;
/** A card may cut its photo by at most this factor of its aspect. */
const CARD_ASPECT_DRIFT = 1.3;

/** All of a box, in shares. */
export const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

/** Fills a region edge to edge: with the hero, or with both heroes of a duo and a gutter between them. */
export function coverRegion(brief: Brief, region: Box, free: Box = WHOLE): readonly PlacedPicture[] {
  if (brief.hero === null) return [];
  if (brief.secondaryHero === null) return [covering("hero", region, free)];
  const gutter = Math.max(2, Math.round(Math.min(brief.width, brief.height) * 0.008));
  if (region.width >= region.height) {
    const first = Math.round((region.width - gutter) * LEAD_SHARE);
    return [
      covering("hero", { ...region, width: first }, WHOLE),
      covering(
        "secondary_hero",
        { ...region, x: region.x + first + gutter, width: region.width - first - gutter },
        WHOLE,
      ),
    ];
  }
  const first = Math.round((region.height - gutter) * LEAD_SHARE);
  return [
    covering("hero", { ...region, height: first }, WHOLE),
    covering(
      "secondary_hero",
      { ...region, y: region.y + first + gutter, height: region.height - first - gutter },
      WHOLE,
    ),
  ];
}

/** A picture that fills `box`, its subject wanted in the part `free` of it (shares). */
export const covering = (role: PlacedPicture["role"], box: Box, free: Box): PlacedPicture => ({
  role,
  box: wholeBox(box),
  fill: "cover",
  free,
  cornerRadiusPx: 0,
  footing: "none",
});

/** Stands the hero in a region, whole: cut-outs as they are, rectangles as cards. Duos get two cards. */
export function standInRegion(brief: Brief, region: Box, radiusPx: number): readonly PlacedPicture[] {
  if (brief.hero === null || region.width < 4 || region.height < 4) return [];
  if (brief.secondaryHero === null) return [stand(brief, "hero", brief.hero, region, radiusPx)];
  const gap = brief.scale.marginPx * 0.6;
  const isAcross = region.width >= region.height;
  const length = ((isAcross ? region.width : region.height) - gap) * LEAD_SHARE;
  const rest = (isAcross ? region.width : region.height) - gap - length;
  const first = isAcross ? { ...region, width: length } : { ...region, height: length };
  const second = isAcross
    ? { ...region, x: region.x + length + gap, width: rest }
    : { ...region, y: region.y + length + gap, height: rest };
  return [
    stand(brief, "hero", brief.hero, first, radiusPx),
    stand(brief, "secondary_hero", brief.secondaryHero, second, radiusPx),
  ];
}

function stand(
  brief: Brief,
  role: PlacedPicture["role"],
  traits: PictureTraits,
  region: Box,
  radiusPx: number,
): PlacedPicture {
  const isPerson = brief.family === "person";
  if (!traits.isCutOut) {
    const aspect = Math.min(
      Math.max(region.width / region.height, traits.aspect / CARD_ASPECT_DRIFT),
      traits.aspect * CARD_ASPECT_DRIFT,
    );
    const box = wholeBox(contained(region, aspect, 0.5));
    return { role, box, fill: "card", free: WHOLE, cornerRadiusPx: radiusPx, footing: "none" };
  }
  const box = wholeBox(contained(region, traits.aspect, isPerson ? 1 : 0.5));
  const isOnEdge = isPerson && box.y + box.height >= brief.height - 1;
  return {
    role,
    box,
    fill: "cut_out",
    free: WHOLE,
    cornerRadiusPx: 0,
    footing: isOnEdge ? "edge" : brief.family === "device" ? "none" : "floor",
  };
}

/** The largest box of an aspect inside a region; `down` 0..1 says where the spare height goes. */
export function contained(region: Box, aspect: number, down: number): Box {
  const width = Math.min(region.width, region.height * aspect);
  const height = width / aspect;
  return {
    x: region.x + (region.width - width) / 2,
    y: region.y + (region.height - height) * down,
    width,
    height,
  };
}

export function wholeBox(box: Box): Box {
  const x = Math.round(box.x);
  const y = Math.round(box.y);
  return {
    x,
    y,
    width: Math.max(1, Math.round(box.x + box.width) - x),
    height: Math.max(1, Math.round(box.y + box.height) - y),
  };
}

export function inset(box: Box, across: number, down: number): Box {
  return {
    x: box.x + across,
    y: box.y + down,
    width: Math.max(1, box.width - across * 2),
    height: Math.max(1, box.height - down * 2),
  };
}
