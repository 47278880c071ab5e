import type { Box } from "../types.ts";
import { inset, wholeBox } from "./boxes.ts";
import type { Brief, Design, PictureTraits, PlacedPicture } from "./design.ts";
import { COVERED_COST, isIsland, type PhotoCanvas } from "./full-bleed.ts";
import { filling } from "./duo-pictures.ts";
import { type Panel, signedPanel } from "./panel.ts";
import { coverRegion } from "./place-pictures.ts";

/** Between a sheet's edge and its words, in margins. */
const PADDING_MARGINS = 0.85;
/** Share of the safe area that words may take. */
const FILL_MAX = 0.7;
/** A smaller logo beside the button leaves the photo more than a large one over the words. */
const LOGO_SHARE_MIN = 0.3;
const ISLAND_SHARES = [0.42, 0.5, 0.58, 0.66];
/** Least share of the height that the photo is seen in over an upright sheet. */
const SEEN_SHARE_MIN = 0.2;
/** Where behind a sheet two pictures meet, as a share of its height. */
const SEAM_SHARE = 0.86;

/**
 * Whether a light pack's words, or any on a duo's story, lie on a card on the photo: a panel would stand empty under
 * a story's controls or around an island, and a light scrim would be fog.
 */
export function isSheeted(canvas: PhotoCanvas): boolean {
  if (canvas.hero === null || canvas.hasBackground) return false;
  // Words on two photos at once read on neither, however dark.
  if (canvas.family === "duo") return canvas.shape === "story";
  if (canvas.family !== "campaign" || canvas.isDark) return false;
  return canvas.shape === "story" || isIsland(canvas);
}

/** Words on a light card inside the safe area, the photo on the whole canvas around it. */
export function sheeted(brief: Brief): Design | null {
  const found = brief.shape === "story" ? upright(brief) : onIsland(brief);
  if (found === null) return null;
  const { width, height, safe, scale } = brief;
  const { panel, logo, sheet } = found;
  const pictures = brief.secondaryHero === null ? null : aroundSheet(brief, sheet);
  if (pictures !== null && pictures.length === 0) return null;
  const { x, y } = found.isBeside
    ? { x: sheet.x > width - sheet.x - sheet.width ? "before" : "after", y: "all" }
    : { x: "all", y: "before" };
  const free: Box = {
    x: x === "after" ? (sheet.x + sheet.width) / width : 0,
    y: safe.y / height,
    width: x === "all" ? 1 : (x === "before" ? sheet.x : width - sheet.x - sheet.width) / width,
    height: (y === "before" ? Math.max(height * 0.08, sheet.y - safe.y) : safe.height) / height,
  };
  return {
    ground: "flat",
    pictures: pictures ?? coverRegion(brief, whole(brief), free),
    veils: [],
    veilsLie: "over",
    sheet: { box: sheet, cornerRadiusPx: Math.round(scale.cornerRadiusPx * 1.4) },
    logo,
    texts: panel.texts,
    button: panel.button,
    leadShare: panel.leadShare,
    poise: panel.poise,
  };
}

interface Found {
  readonly panel: Panel;
  readonly logo: Box | null;
  readonly sheet: Box;
  readonly isBeside: boolean;
}

const whole = ({ width, height }: Brief): Box => ({ x: 0, y: 0, width, height });

function upright(brief: Brief): Found | null {
  const { scale, safe, height } = brief;
  const pad = scale.marginPx * PADDING_MARGINS;
  const outer = inset(safe, scale.marginPx, scale.marginPx);
  const region = inset(outer, pad, pad);
  const signed = signedPanel(brief, region, { stand: "bottom", fillMax: FILL_MAX }, LOGO_SHARE_MIN);
  if (signed === null) return null;
  const top = Math.min(signed.panel.top, signed.logo?.y ?? signed.panel.top) - pad;
  if (top < height * SEEN_SHARE_MIN) return null;
  const sheet = wholeBox({ ...outer, y: top, height: signed.panel.bottom + pad - top });
  return { ...signed, sheet, isBeside: false };
}

/** The words at the calmer end of the island; only they must keep to it, the card's rim need not. */
function onIsland(brief: Brief): Found | null {
  const { scale, safe, width, height } = brief;
  const content = inset(safe, scale.marginPx * 0.5, scale.marginPx * 0.5);
  const half = { ...safe, width: safe.width / 2 };
  const isAtEnd = brief.interestUnder(half) > brief.interestUnder({ ...half, x: safe.x + half.width });
  const pad = scale.marginPx * 1.6;
  let best: Found | null = null;
  let bestWorth = 0;
  for (const share of ISLAND_SHARES) {
    const span = content.width * share;
    const region = { ...content, x: isAtEnd ? content.x + content.width - span : content.x, width: span };
    const signed = signedPanel(brief, region, { stand: "middle", fillMax: 1 }, LOGO_SHARE_MIN);
    if (signed === null) continue;
    const top = Math.min(signed.panel.top, signed.logo?.y ?? signed.panel.top) - pad;
    const sheet = wholeBox({
      x: Math.max(0, region.x - pad),
      y: Math.max(0, top),
      width: Math.min(width, span + pad * 2),
      height: Math.min(height, signed.panel.bottom + pad - top),
    });
    const worth =
      (0.2 + signed.panel.leadShare * signed.panel.poise) * (1 - COVERED_COST * brief.interestUnder(sheet));
    if (worth <= bestWorth) continue;
    best = { ...signed, sheet, isBeside: true };
    bestWorth = worth;
  }
  return best;
}

/** Whether a photo that covers `part` shows its thing whole in what is seen of that. */
function showsWhole({ aspect, isCutOut, thing }: PictureTraits, part: Box, seen: Box): boolean {
  if (isCutOut || thing === null) return true;
  const photoHeight = Math.max(part.height, part.width / aspect);
  return thing.height * photoHeight <= seen.height && thing.width * photoHeight * aspect <= seen.width;
}

/** A duo's pictures meet behind the sheet: one is seen over it, the other under it; none where that cuts a thing. */
function aroundSheet(brief: Brief, sheet: Box): readonly PlacedPicture[] {
  const { hero, secondaryHero, width, height } = brief;
  if (hero === null || secondaryHero === null) return [];
  // Little of the lower one is hidden: of the upper one only what its crop can do without.
  const cut = Math.round(sheet.y + sheet.height * SEAM_SHARE);
  const gutter = Math.max(2, Math.round(Math.min(width, height) * 0.008));
  const upper = { x: 0, y: 0, width, height: cut };
  const lower = { x: 0, y: cut + gutter, width, height: height - cut - gutter };
  const over = { ...upper, height: sheet.y };
  const under = { ...lower, y: sheet.y + sheet.height, height: height - sheet.y - sheet.height };
  if (!showsWhole(hero, upper, over) || !showsWhole(secondaryHero, lower, under)) return [];
  return [filling("hero", hero, upper, over), filling("secondary_hero", secondaryHero, lower, under)];
}
