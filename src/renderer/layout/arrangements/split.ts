import { inset } from "../design/boxes.ts";
import { type Brief, boxesOf, type Design, headlineScore, type Scrim } from "../design/design.ts";
import { coverRegion } from "../pictures/place-pictures.ts";
import { columnPanel, type Panel, shifted } from "../words/text-panel.ts";

/** Shares of the width that the words may take; the first leaves the picture most. */
const LANDSCAPE_SHARES = [0.46, 0.52, 0.58];
const LEADERBOARD_SHARES = [0.54, 0.6, 0.66, 0.72];
/** A headline with this score is large enough: no wider column is tried. */
const HEADLINE_SIZE_GOOD = 0.78;

const startOf = (panel: Panel): number => Math.min(...boxesOf(panel).map((box) => box.x));

/** Moves words to the end of their region: the widest line reaches it. */
function flushAtEnd(panel: Panel, end: number): Panel {
  const reach = Math.max(...boxesOf(panel).map((box) => box.x + box.width));
  return shifted(panel, Math.max(0, Math.floor(end - reach)));
}

/** Half a photo with a higher mean saliency holds the subject, and gets no text. */
const CALM_SALIENCY_MAX = 0.3;

/** Mean saliency of either half of a photo that fills the canvas. */
function halvesOf({ width, height, saliencyUnder }: Brief): { readonly start: number; readonly end: number } {
  const half = { x: 0, y: 0, width: width / 2, height };
  return { start: saliencyUnder(half), end: saliencyUnder({ ...half, x: width / 2 }) };
}

/** A subject this near the end of the scrim's ramp is dimmed by it, as a share of the photo's width. */
const RAMP_REACH = 0.2;

/** Whether a ramp at the photo's start would dim its subject, and a ramp at its end would not. */
function isSubjectAtStart({ hero, width, height }: Brief, start: number, edge: number): boolean {
  if (hero === null) return false;
  const room = width - start;
  const span = Math.min(1, room / height / hero.aspect);
  const reach = (edge - start) / room + RAMP_REACH;
  return hero.focusX / span < reach && (1 - hero.focusX) / span > reach;
}

/** Wide canvases with a photo: words beside the picture, which fades into a dark surface or ends at a light one. */
export function split(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const halves = halvesOf(brief);
  // A scenery normally fills the canvas. Where its subject takes both halves it stands beside the words instead.
  const isFull = brief.family === "scenery" && Math.min(halves.start, halves.end) <= CALM_SALIENCY_MAX;
  const isFaded = isFull || (brief.isDark && brief.secondaryHero === null);
  const startOfHero = (edge: number) => (isFull ? 0 : isFaded ? Math.round(edge * 0.74) : edge);
  let chosen: { panel: Panel; edge: number } | null = null;
  for (const share of brief.shape === "leaderboard" ? LEADERBOARD_SHARES : LANDSCAPE_SHARES) {
    const edge = safe.x + safe.width * share;
    const span = edge - scale.marginPx * 0.9 - content.x;
    const region = { ...content, width: span };
    const panel = columnPanel(brief, region);
    if (panel !== null && (chosen === null || headlineScore(panel) > headlineScore(chosen.panel) + 0.07))
      chosen = { panel, edge };
    if (chosen !== null && headlineScore(chosen.panel) >= HEADLINE_SIZE_GOOD) break;
  }
  if (chosen === null) return null;
  const isAtEnd = isFull
    ? halves.start > halves.end * 1.04
    : isFaded && isSubjectAtStart(brief, startOfHero(chosen.edge), chosen.edge);
  const panel = isAtEnd ? flushAtEnd(chosen.panel, content.x + content.width) : chosen.panel;
  const edge = isAtEnd ? Math.round(width - startOf(panel) + scale.marginPx * 0.9) : Math.round(chosen.edge);
  const start = startOfHero(edge);
  const hero = { x: isAtEnd ? 0 : start, y: 0, width: width - start, height };
  const scrims: Scrim[] = [];
  if (isFaded) {
    // On a photo that fills the canvas the ramp is longer, so that no edge is visible.
    const end = isFull ? Math.min(width, edge + width * 0.6) : Math.min(width, edge + (width - edge) * 0.5);
    const wordsEnd = isAtEnd
      ? width - startOf(panel)
      : Math.max(...panel.texts.map(({ ink }) => ink.x + ink.width), start + 1);
    const held = isFull ? Math.min(wordsEnd, edge) : edge - scale.marginPx * 0.9;
    const length = Math.round(end - start);
    const stops: Scrim["stops"] = [
      { at: 0, opacity: isFull ? "adaptive" : 1 },
      { at: Math.min(0.9, (held - start) / length), opacity: "adaptive" },
      { at: 1, opacity: 0 },
    ];
    scrims.push({
      box: { x: isAtEnd ? width - start - length : start, y: 0, width: length, height },
      axis: "across",
      stops: isAtEnd ? stops.map(({ at, opacity }) => ({ at: 1 - at, opacity })).reverse() : stops,
      adaptiveOpacityMin: isFull ? 0.4 : 0.72,
    });
  }
  return {
    surface: "flat",
    pictures: coverRegion(brief, hero, {
      x: isAtEnd ? 0 : (edge - start) / hero.width,
      y: 0,
      width: (width - edge) / hero.width,
      height: 1,
    }),
    scrims,
    scrimsOver: "pictures",
    ...panel,
  };
}
