import { bestScored } from "#renderer/best-scored.ts";
import { type Box, type Family, PHOTO_FAMILIES, type Shape } from "#renderer/types.ts";
import { inset } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, type Design, headlineScore, type PlacedPicture, type Scrim } from "../design/design.ts";
import { logoClearancePx, sizeLogo } from "../design/place-elements.ts";
import { coverRegion } from "../pictures/place-pictures.ts";
import { fitPanel, type Panel, signedPanel } from "../words/text-panel.ts";

/** Length of a scrim's ramp, as a share of the canvas: a shorter one shows as an edge. */
const RAMP_SHARE = 0.45;
const TEXT_WIDTH_SHARES = [0.34, 0.42, 0.5, 0.58, 0.66, 0.78, 0.9];
/** Narrower for a duo: words lie on its first photo only. */
const DUO_TEXT_WIDTH_SHARES = [0.5, 0.56];
/** The cost of covering the whole subject; a headline at its largest scores 1. */
const COVERED_COST = 0.9;

/** Rises with the headline, and falls with how much of the subject lies under `covered`: the words or their card. */
export const scoreOnPhoto = (brief: Brief, panel: Panel, covered: Box): number =>
  (0.2 + headlineScore(panel)) * (1 - COVERED_COST * brief.saliencyUnder(covered));

/** Words read from the start: they go to the end only where that is clearly calmer. */
const CALMER_TIMES = 1.25;

/** Opacity of a story's scrim under the words, where the app's controls lie: the photo shows again. */
const FOOT_OPACITY = 0.12;

/** The properties of a canvas that decide whether a photo fills it. */
export interface PhotoCanvas {
  readonly family: Family;
  readonly hero: { readonly isCutOut: boolean } | null;
  readonly hasBackground: boolean;
  readonly isDark: boolean;
  readonly shape: Shape;
  readonly width: number;
  readonly height: number;
  readonly safe: Box;
}

/**
 * Whether a photo fills the canvas and words lie on it. A panel would be empty under a story's controls or around a
 * small safe area. A light theme keeps its light panel: the sizes of a pack look alike, and a light scrim looks like
 * fog.
 */
export function isFullBleed(canvas: PhotoCanvas): boolean {
  if (canvas.hero === null || canvas.hero.isCutOut || canvas.hasBackground) return false;
  if (!canvas.isDark) return false;
  if (!PHOTO_FAMILIES.includes(canvas.family)) return false;
  return (canvas.family !== "duo" && canvas.shape === "story") || hasSmallSafeArea(canvas);
}

/** A photo on the whole canvas, words on a scrim inside the safe area. */
export function fullBleed(brief: Brief): Design | null {
  return brief.shape === "story" ? upright(brief) : inSmallSafeArea(brief);
}

/** The safe area less a margin; where an edge is reserved anyway the margin is smaller. */
function contentOf({ width, height, safe, scale }: Brief): Box {
  const m = scale.marginPx;
  const left = Math.max(m, safe.x + m * 0.25);
  const top = Math.max(m, safe.y + m * 0.25);
  const right = Math.min(width - m, safe.x + safe.width - m * 0.25);
  const bottom = Math.min(height - m, safe.y + safe.height - m * 0.25);
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/** An upright photo on the whole canvas: logo at the top, subject under it, text at the foot of the safe area. */
export function upright(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const m = scale.marginPx;
  const content = contentOf(brief);
  const signed = signedUpright(brief, content);
  if (signed === null) return null;
  const { panel, top } = signed;
  // The photo's top always stays free of the scrim.
  const rampStart = Math.max(Math.round(top * 0.3), Math.round(top - height * RAMP_SHARE));
  const length = height - rampStart;
  const at = (y: number) => Math.min(0.98, Math.max(0.02, (y - rampStart) / length));
  const isFootShown = height - panel.bottom > height * 0.14;
  const scrim: Scrim = {
    box: { x: 0, y: rampStart, width, height: length },
    axis: "down",
    stops: [
      { at: 0, opacity: 0 },
      { at: at(top - m * 0.3), opacity: "adaptive" },
      { at: at(panel.bottom + m * 0.3), opacity: "adaptive" },
      { at: 1, opacity: isFootShown ? FOOT_OPACITY : "adaptive" },
    ],
    adaptiveOpacityMin: 0.5,
  };
  // A face keeps clear of a logo over it too.
  const isUnderLogo =
    panel.logo !== null && panel.logo.y < top && (brief.hero?.protectedAreas.length ?? 0) > 0;
  const start = isUnderLogo && panel.logo !== null ? panel.logo.y + panel.logo.height : safe.y;
  const free = { x: 0, y: start / height, width: 1, height: Math.max(0.1, (top - start) / height) };
  return onWholePhoto(brief, free, scrim, panel);
}

/** The same with the words at the head of the safe area, their logo over them, and the subject under them. */
export function uprightFromHead(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const m = scale.marginPx;
  const request = { region: contentOf(brief), align: "start", stand: "top", fillMax: 0.5 } as const;
  const panel = fitPanel(brief, { ...request, logoAt: "head", disclaimerAt: "words" });
  if (panel === null) return null;
  const end = Math.min(height, Math.round(panel.bottom + height * RAMP_SHARE * 0.6));
  const scrim: Scrim = {
    box: { x: 0, y: 0, width, height: end },
    axis: "down",
    stops: [
      { at: 0, opacity: "adaptive" },
      { at: Math.min(0.95, (panel.bottom + m * 0.3) / end), opacity: "adaptive" },
      { at: 1, opacity: 0 },
    ],
    adaptiveOpacityMin: 0.5,
  };
  const start = panel.bottom + m;
  const free = {
    x: 0,
    y: start / height,
    width: 1,
    height: Math.max(0.1, (safe.y + safe.height - start) / height),
  };
  return onWholePhoto(brief, free, scrim, panel);
}

/** Words on a scrim over a photo that fills the canvas; its subject stands in the part `free` (shares). */
const onWholePhoto = (brief: Brief, free: Box, scrim: Scrim, panel: Panel): Design => ({
  surface: "flat",
  pictures: coverRegion(brief, { x: 0, y: 0, width: brief.width, height: brief.height }, free),
  scrims: [scrim],
  scrimsOver: "pictures",
  ...panel,
});

/** Words and logo of a story; `top` is where the scrim must have its full opacity. */
function signedUpright(brief: Brief, content: Box): { readonly panel: Panel; readonly top: number } | null {
  const { logo: traits, scale } = brief;
  const request = { region: content, align: "start", stand: "bottom", fillMax: 0.64 } as const;
  const plain = fitPanel(brief, { ...request, logoAt: "none" });
  if (traits === null) return plain === null ? null : { panel: plain, top: plain.top };
  const size = sizeLogo(traits.aspect, scale.logoArea, content.width * 0.6, content.height * 0.2);
  if (plain !== null && size !== null && !brief.needsLogoPlate) {
    const y = Math.round(content.y);
    const left = { x: Math.round(content.x), y, ...size };
    const right = { ...left, x: Math.round(content.x + content.width - size.width) };
    const isLeftQuiet = brief.saliencyUnder(left) <= brief.saliencyUnder(right) + 0.08;
    if (y + size.height + logoClearancePx(size.height) + scale.marginPx < plain.top)
      return { panel: { ...plain, logo: isLeftQuiet ? left : right }, top: plain.top };
  }
  const led = fitPanel(brief, { ...request, fillMax: 1, logoAt: "lead" });
  return led === null ? null : { panel: led, top: led.logo?.y ?? led.top };
}

/** A small safe area on a wide canvas: words at one end of the safe area (its calmer one), the subject at the other. */
export function inSmallSafeArea(brief: Brief, side: "calm" | "start" | "end" = "calm"): Design | null {
  const { width, height, scale, safe } = brief;
  const m = scale.marginPx;
  const content = inset(safe, m, m * 0.5);
  // The words of a duo stand at the start, on its first photo.
  const isCalmAtEnd =
    brief.secondaryHero === null &&
    brief.saliencyUnder({ ...safe, width: safe.width / 2 }) >
      brief.saliencyUnder({ ...safe, x: safe.x + safe.width / 2, width: safe.width / 2 }) * CALMER_TIMES;
  const isAtEnd = side === "calm" ? isCalmAtEnd : side === "end";
  const widthShares = brief.secondaryHero === null ? TEXT_WIDTH_SHARES : DUO_TEXT_WIDTH_SHARES;
  const fitting = widthShares.flatMap((share) => {
    const span = content.width * share;
    const region = { ...content, x: isAtEnd ? content.x + content.width - span : content.x, width: span };
    const request = { stand: "middle", fillMax: 1 } as const;
    const panel = brief.needsLogoPlate
      ? fitPanel(brief, { ...request, region, align: "start", logoAt: "lead" })
      : signedPanel(brief, region, request);
    return panel === null ? [] : [{ panel, span, region }];
  });
  const chosen = bestScored(fitting, ({ panel, region }) => scoreOnPhoto(brief, panel, region), 0);
  if (chosen === null) return null;
  const { panel, span } = chosen;
  const edge = (isAtEnd ? width - safe.x - safe.width : safe.x) + m + span;
  const free = { x: edge / width, y: safe.y / height, width: 1 - edge / width, height: safe.height / height };
  const pictures = coverRegion(brief, { x: 0, y: 0, width, height }, { ...free, x: isAtEnd ? 0 : free.x });
  // The scrim ends where the second picture begins.
  const lengthMax = brief.secondaryHero === null ? width : Math.max(edge, Math.min(...placedAfter(pictures)));
  const length = Math.round(Math.min(lengthMax, edge + width * RAMP_SHARE));
  const held = Math.min(0.9, edge / length);
  // Only the safe area needs the scrim: above and below it the photo stays as it is.
  const fadePx = Math.round(safe.height * 0.95);
  return {
    surface: "flat",
    pictures,
    scrims: [
      {
        box: {
          x: isAtEnd ? width - length : 0,
          y: Math.max(0, safe.y - fadePx),
          width: length,
          height: Math.min(height, safe.y + safe.height + fadePx) - Math.max(0, safe.y - fadePx),
        },
        axis: "across",
        stops: [
          { at: 0, opacity: isAtEnd ? 0 : "adaptive" },
          { at: isAtEnd ? 1 - held : held, opacity: "adaptive" },
          { at: 1, opacity: isAtEnd ? "adaptive" : 0 },
        ],
        adaptiveOpacityMin: 0.42,
        fadePx,
      },
    ],
    scrimsOver: "pictures",
    ...panel,
  };
}

/** Where the pictures after the first begin. */
const placedAfter = (pictures: readonly PlacedPicture[]): readonly number[] =>
  pictures.slice(1).map(({ box, cell }) => (cell ?? box).x);
