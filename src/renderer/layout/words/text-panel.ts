import type { Box } from "#renderer/types.ts";
import { inset, isOverlapping } from "../design/boxes.ts";
import { type Brief, type CopyBlock, movedBlock, type PlacedText } from "../design/design.ts";
import {
  type Alignment,
  logoClearancePx,
  logoHeightPxMin,
  measureDisclaimer,
  placeText,
  sizeLogo,
} from "../design/place-elements.ts";
import { fitStack, placeStack } from "./text-stack.ts";

/** Logo, text, button and disclaimer in one upright region. */
export interface Panel extends CopyBlock {
  /** Top of the text, without the logo, and bottom of the panel's content, on the canvas. */
  readonly top: number;
  readonly bottom: number;
}

export interface PanelRequest {
  readonly region: Box;
  readonly align: Alignment;
  /** Vertical alignment of the text in the region. */
  readonly stand: "top" | "middle" | "bottom";
  /** `head`: at the region's top; `lead`: directly above the text; `none`: placed by the caller. */
  readonly logoAt: "head" | "lead" | "none";
  /** Largest fraction of the region's height for text. */
  readonly fillMax: number;
  readonly logoArea?: number;
  /** Place of the disclaimer: at the region's bottom (the default), or directly below the text. */
  readonly disclaimerAt?: "foot" | "words";
}

/** Start-aligned text is centred in looks that centre their text. */
const alignmentOf = ({ look }: Brief, wanted: Alignment): Alignment =>
  look.layout.align === "center" ? "center" : wanted;

/** Arranges a panel; null if the text does not fit at its smallest size or the logo has no room. */
export function fitPanel(brief: Brief, request: PanelRequest): Panel | null {
  let gapMore = 0;
  let fitted = request;
  for (let round = 0; round < LOGO_GAP_ROUNDS; round += 1) {
    const panel = panelWith(brief, fitted, gapMore);
    const [first] = panel?.texts ?? [];
    const smaller = panel === null ? null : smallerLogoArea(brief, panel);
    if (smaller !== null && fitted.logoArea !== smaller) {
      fitted = { ...fitted, logoArea: smaller };
      continue;
    }
    if (panel === null || panel.logo === null || first === undefined || !isCrowding(first.ink, panel.logo)) {
      return panel;
    }
    // Gaps are measured from the capitals, but accents reach higher. Widen the gap and set the text again.
    const { y, height } = panel.logo;
    gapMore += Math.ceil(y + height + logoClearancePx(height) - first.ink.y) + 1;
  }
  return null;
}

/** Maximum number of attempts to widen a gap: each new setting of the text may have taller accents. */
const LOGO_GAP_ROUNDS = 6;

/** Maximum width of a logo relative to the headline's, so that the headline leads in a design without a picture. */
const LOGO_SHARE_MAX = 0.6;

/** Tolerance for rounding a logo to whole pixels. */
const ROUNDED_DOWN = 0.96;

/** The area of a logo that does not outweigh its headline; null if the logo is small enough, or cannot be smaller. */
export function smallerLogoArea(
  brief: Brief,
  { logo, texts }: Pick<CopyBlock, "logo" | "texts">,
): number | null {
  const headline = texts.find(({ role }) => role === "headline");
  if (brief.hero !== null || brief.logo === null || logo === null || headline === undefined) return null;
  const share = (headline.ink.width * LOGO_SHARE_MAX) / logo.width;
  if (share >= 1 || logo.height <= logoHeightPxMin(brief.logo.aspect)) return null;
  return logo.width * logo.height * share * share * ROUNDED_DOWN;
}

function panelWith(brief: Brief, request: PanelRequest, logoGapMore: number): Panel | null {
  const { copy, scale, typesetter } = brief;
  const { region } = request;
  const align = alignmentOf(brief, request.align);
  if (region.width < 8 || region.height < 8) return null;
  const logoSize =
    brief.logo === null || request.logoAt === "none"
      ? null
      : sizeLogo(brief.logo.aspect, request.logoArea ?? scale.logoArea, region.width, region.height * 0.5);
  if (brief.logo !== null && request.logoAt !== "none" && logoSize === null) return null;
  const logoGap =
    logoSize === null
      ? 0
      : logoGapMore +
        // A logo in place of a picture is further from the text.
        Math.max(
          scale.marginPx * (request.logoArea === undefined ? 0.85 : 1.2),
          logoClearancePx(logoSize.height) + 2,
          logoSize.height * 0.45,
        );
  const setting = { lineHeight: 1.3, linesMax: 8, widthPx: region.width, align } as const;
  const disclaimer = measureDisclaimer(brief, setting);
  if (disclaimer === "does not fit") return null;
  if (disclaimer !== null && disclaimer.heightPx > brief.height * 0.2) return null;
  const disclaimerGap = disclaimer === null ? 0 : Math.max(scale.disclaimerPx * 1.3, scale.marginPx * 0.5);
  const footPx = disclaimer === null ? 0 : disclaimer.heightPx + disclaimerGap;
  const headPx = logoSize === null ? 0 : logoSize.height + logoGap;
  const room = region.height - headPx - footPx;
  if (room < 0) return null;
  const { headline, subheadline, cta, price, badge } = copy;
  const hasWords = [headline, subheadline, cta, price, badge].some((text) => text !== undefined);
  const stack = hasWords
    ? fitStack({
        copy,
        widthPx: region.width,
        heightPxMax: Math.min(room, region.height * request.fillMax),
        align,
        scale,
        typesetter,
        isCompact: region.width < 190,
        isButtonWide: brief.shape === "skyscraper",
      })
    : null;
  if (hasWords && stack === null) return null;
  const stackPx = stack?.heightPx ?? 0;
  const end = region.y + region.height;
  const groupPx = request.logoAt === "lead" ? headPx + stackPx : stackPx;
  const start = textTop(request, region, groupPx, request.logoAt === "head" ? headPx : 0, footPx);
  const wordsTop = request.logoAt === "lead" ? start + headPx : start;
  const logoTop = request.logoAt === "lead" ? start : region.y;
  const placed =
    stack === null
      ? { texts: [], button: null, badge: undefined }
      : placeStack(stack, region.x, wordsTop, region.width, align);
  const texts = [...placed.texts];
  const isFollowing = request.disclaimerAt === "words" && hasWords;
  const disclaimerEnd = isFollowing ? wordsTop + stackPx + footPx + disclaimerGap * 0.35 : end;
  if (disclaimer !== null) {
    const top = Math.min(end, disclaimerEnd) - disclaimer.heightPx;
    texts.push(placeText("disclaimer", disclaimer, region.x, region.width, top, align));
  }
  return {
    logo:
      logoSize === null
        ? null
        : {
            x: Math.round(align === "start" ? region.x : region.x + (region.width - logoSize.width) / 2),
            y: Math.round(logoTop),
            ...logoSize,
          },
    texts,
    button: placed.button,
    badge: placed.badge,
    top: hasWords ? wordsTop : disclaimer === null ? end : end - disclaimer.heightPx,
    bottom: disclaimer === null ? wordsTop + stackPx : Math.min(end, disclaimerEnd),
    headlineSizeShare: stack?.headlineSizeShare ?? 1,
    lineBreakScore: stack?.lineBreakScore ?? 1,
  };
}

/**
 * Text with the logo. The logo is beside the button if that row has room for `logoShareMin` of its usual area, else
 * beside the badge or a headline on one line, else above the text.
 */
export function signedPanel(
  brief: Brief,
  region: Box,
  wanted: Pick<PanelRequest, "stand" | "fillMax" | "disclaimerAt">,
  logoShareMin = 0.6,
): Panel | null {
  const { logo: traits } = brief;
  const request = { ...wanted, region, align: "start" } as const;
  const plain = fitPanel(brief, { ...request, logoAt: "none" });
  if (traits === null) return plain;
  // Below centred text a logo at the end of the button's row would unbalance it.
  if (plain !== null && plain.button !== null && alignmentOf(brief, "start") === "start") {
    const headline = plain.texts.find(({ role }) => role === "headline");
    const rows = [
      plain.button.box,
      (brief.shape === "story" ? undefined : plain.badge?.box) ??
        (headline?.set.lines.length === 1 ? headline.ink : undefined),
    ];
    for (const row of rows) {
      const logo = row && logoBeside(brief, traits.aspect, region, row, logoShareMin);
      if (logo && !plain.texts.some(({ ink }) => isCrowding(ink, logo))) return { ...plain, logo };
    }
  }
  return fitPanel(brief, { ...request, logoAt: "lead" });
}

/**
 * The logo at the end of a row (button, badge or one-line headline), centred on it. Null if the row has no room for it.
 */
function logoBeside(
  { scale }: Brief,
  aspect: number,
  { x, width }: Box,
  row: Box,
  shareMin: number,
): Box | null {
  const room = x + width - row.x - row.width - scale.marginPx * 1.5;
  const size = sizeLogo(aspect, scale.logoArea, room, row.height * 1.2);
  if (size === null || size.width * size.height < scale.logoArea * shareMin) return null;
  const y = Math.round(row.y + (row.height - size.height) / 2);
  return { x: Math.round(x + width - size.width), y, ...size };
}

/** `logoShareMin` of a column. It is low because a logo above the text would take height from the text. */
const SIGNING_LOGO_SHARE_MIN = 0.45;

/**
 * A text column of a wide canvas, with the logo at its top. On a leaderboard `signedPanel` chooses the logo's place.
 */
export function columnPanel(brief: Brief, region: Box): Panel | null {
  const request = { stand: "middle", fillMax: 1 } as const;
  if (brief.shape !== "leaderboard" || brief.logo === null) {
    return fitPanel(brief, { ...request, region, align: "start", logoAt: "head" });
  }
  const signed = signedPanel(brief, region, request, SIGNING_LOGO_SHARE_MIN);
  // Centred text needs an extra line for the logo. If there is no height for that, align at the start.
  return signed === null && brief.look.layout.align === "center"
    ? columnPanel(alignedAtStart(brief), region)
    : signed;
}

/** The same brief in a look that does not centre its text. */
const alignedAtStart = (brief: Brief): Brief => ({
  ...brief,
  look: { ...brief.look, layout: { ...brief.look.layout, align: "start" } },
});

/** Whether a text's ink enters the clear space of a logo. */
function isCrowding(ink: Box, logo: Box): boolean {
  const clear = -logoClearancePx(logo.height);
  return isOverlapping(ink, inset(logo, clear, clear));
}

/** The same text, logo and button moved by whole pixels. */
export function shifted<P extends CopyBlock>(panel: P, dx: number, dy = 0): P {
  const move = <B extends Box>(box: B): B => ({ ...box, x: box.x + dx, y: box.y + dy });
  const moveText = (text: PlacedText): PlacedText => ({
    ...text,
    x: text.x + dx,
    y: text.y + dy,
    ink: move(text.ink),
  });
  return movedBlock(panel, move, moveText);
}

/** Fraction of a column's spare height that goes between the logo and the text below. */
const SHARED_ABOVE = 0.4;

function textTop(
  request: PanelRequest,
  region: Box,
  groupPx: number,
  headPx: number,
  footPx: number,
): number {
  const low = region.y + headPx;
  const high = region.y + region.height - footPx - groupPx;
  if (request.stand === "top") return low;
  if (request.stand === "bottom") return Math.max(low, high);
  // Text is centred in the whole region rather than between logo and disclaimer, if it clears both.
  const centred = region.y + (region.height - groupPx) * 0.5;
  // If the logo pushes the text down, part of the spare height goes between the two.
  const shared = low + Math.max(0, high - low) * SHARED_ABOVE;
  return Math.min(Math.max(centred, shared), Math.max(low, high));
}
