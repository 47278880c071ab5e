import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { inset, wholeBox } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import type { Brief, Design, PictureTraits, PlacedPicture } from "../design/design.ts";
import { placeInPart } from "../pictures/duo-pictures.ts";
import { coverRegion } from "../pictures/place-pictures.ts";
import { type Panel, signedPanel } from "../words/text-panel.ts";
import { type PhotoCanvas, scoreOnPhoto } from "./full-bleed.ts";

/** Between a card's edge and its words, in margins. */
const PADDING_MARGINS = 0.85;
/** Share of the safe area that words may take. */
const FILL_MAX = 0.7;
/** A smaller logo beside the button leaves the photo more than a large one over the words. */
const LOGO_SHARE_MIN = 0.3;
const TEXT_WIDTH_SHARES = [0.42, 0.5, 0.58, 0.66];
/** The photo above an upright card takes at least this share of the height. */
const SEEN_SHARE_MIN = 0.2;
/** Where two pictures meet behind a card, as a share of its height. */
const SEAM_SHARE = 0.86;

/**
 * Whether the words lie on a card on the photo: those of a light pack, and those of a duo's story. A panel would be
 * empty under a story's controls or around a small safe area, and a light scrim would look like fog.
 */
export function takesTextCard(canvas: PhotoCanvas): boolean {
  if (canvas.hero === null || canvas.hasBackground) return false;
  // Words that cross two photos are hard to read, however dark both are.
  if (canvas.family === "duo") return canvas.shape === "story";
  if (canvas.family !== "campaign" || canvas.isDark) return false;
  return canvas.shape === "story" || hasSmallSafeArea(canvas);
}

/** Words on a light card inside the safe area, the photo on the whole canvas around it. */
export function onTextCard(brief: Brief, side: "calm" | "start" | "end" = "calm"): Design | null {
  const found = hasSmallSafeArea(brief) ? inSmallSafeArea(brief, side) : upright(brief);
  if (found === null) return null;
  const { width, height, safe, scale } = brief;
  const { panel, textCard } = found;
  const pictures = brief.secondaryHero === null ? null : aroundTextCard(brief, textCard);
  if (pictures !== null && pictures.length === 0) return null;
  const { x, y } = found.isBeside
    ? { x: textCard.x > width - textCard.x - textCard.width ? "before" : "after", y: "all" }
    : { x: "all", y: "before" };
  const free: Box = {
    x: x === "after" ? (textCard.x + textCard.width) / width : 0,
    y: safe.y / height,
    width: x === "all" ? 1 : (x === "before" ? textCard.x : width - textCard.x - textCard.width) / width,
    height: (y === "before" ? Math.max(height * 0.08, textCard.y - safe.y) : safe.height) / height,
  };
  return {
    surface: "flat",
    pictures: pictures ?? coverRegion(brief, whole(brief), free),
    scrims: [],
    scrimsOver: "pictures",
    textCard: { box: textCard, cornerRadiusPx: Math.round(scale.cornerRadiusPx * 1.4) },
    ...panel,
  };
}

interface Found {
  readonly panel: Panel;
  readonly textCard: Box;
  readonly isBeside: boolean;
}

const whole = ({ width, height }: Brief): Box => ({ x: 0, y: 0, width, height });

function upright(brief: Brief): Found | null {
  const { scale, safe, height } = brief;
  const pad = scale.marginPx * PADDING_MARGINS;
  const outer = inset(safe, scale.marginPx, scale.marginPx);
  const region = inset(outer, pad, pad);
  const panel = signedPanel(brief, region, { stand: "bottom", fillMax: FILL_MAX }, LOGO_SHARE_MIN);
  if (panel === null) return null;
  const top = Math.min(panel.top, panel.logo?.y ?? panel.top) - pad;
  if (top < height * SEEN_SHARE_MIN) return null;
  const textCard = wholeBox({ ...outer, y: top, height: panel.bottom + pad - top });
  return { panel, textCard, isBeside: false };
}

/** The words at the calmer end of the safe area. The words keep to it; the card's edge may leave it. */
function inSmallSafeArea(brief: Brief, side: "calm" | "start" | "end"): Found | null {
  const { scale, safe, width, height } = brief;
  const content = inset(safe, scale.marginPx * 0.5, scale.marginPx * 0.5);
  const half = { ...safe, width: safe.width / 2 };
  const isCalmAtEnd = brief.saliencyUnder(half) > brief.saliencyUnder({ ...half, x: safe.x + half.width });
  const isAtEnd = side === "calm" ? isCalmAtEnd : side === "end";
  const pad = scale.marginPx * 1.6;
  const fitting = TEXT_WIDTH_SHARES.flatMap((share): readonly Found[] => {
    const span = content.width * share;
    const region = { ...content, x: isAtEnd ? content.x + content.width - span : content.x, width: span };
    const panel = signedPanel(brief, region, { stand: "middle", fillMax: 1 }, LOGO_SHARE_MIN);
    if (panel === null) return [];
    const top = Math.min(panel.top, panel.logo?.y ?? panel.top) - pad;
    const textCard = wholeBox({
      x: Math.max(0, region.x - pad),
      y: Math.max(0, top),
      width: Math.min(width, span + pad * 2),
      height: Math.min(height, panel.bottom + pad - top),
    });
    return [{ panel, textCard, isBeside: true }];
  });
  return bestScored(fitting, ({ panel, textCard }) => scoreOnPhoto(brief, panel, textCard), 0);
}

/** Whether a photo that covers `part` shows its product whole inside `seen`. */
function showsWhole({ aspect, isCutOut, subjectBox }: PictureTraits, part: Box, seen: Box): boolean {
  if (isCutOut || subjectBox === null) return true;
  const photoHeight = Math.max(part.height, part.width / aspect);
  return (
    subjectBox.height * photoHeight <= seen.height && subjectBox.width * photoHeight * aspect <= seen.width
  );
}

/** A duo's pictures meet behind the card, one above it and one below; empty where that would cut a product. */
function aroundTextCard(brief: Brief, textCard: Box): readonly PlacedPicture[] {
  const { hero, secondaryHero, width, height } = brief;
  if (hero === null || secondaryHero === null) return [];
  // The card hides a little of the lower picture, and of the upper one only what its crop can spare.
  const cut = Math.round(textCard.y + textCard.height * SEAM_SHARE);
  const gutter = Math.max(2, Math.round(Math.min(width, height) * 0.008));
  const upper = { x: 0, y: 0, width, height: cut };
  const lower = { x: 0, y: cut + gutter, width, height: height - cut - gutter };
  const over = { ...upper, height: textCard.y };
  const under = { ...lower, y: textCard.y + textCard.height, height: height - textCard.y - textCard.height };
  if (!showsWhole(hero, upper, over) || !showsWhole(secondaryHero, lower, under)) return [];
  return [placeInPart("hero", hero, upper, over), placeInPart("secondary_hero", secondaryHero, lower, under)];
}
