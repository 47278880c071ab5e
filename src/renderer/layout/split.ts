import { inset } from "./boxes.ts";
import type { Brief, Design, Scrim } from "./design.ts";
import { columnPanel, type Panel, shifted } from "./panel.ts";
import { coverRegion } from "./place-pictures.ts";

/** Shares of the width that the words may take, the picture's favourite first. */
const LANDSCAPE_SHARES = [0.46, 0.52, 0.58];
const LEADERBOARD_SHARES = [0.54, 0.6, 0.66, 0.72];
/** A headline at this share of its largest size is large enough to stop looking for more room. */
const HEADLINE_SIZE_GOOD = 0.78;

const startOf = ({ logo, texts, button }: Panel): number =>
  Math.min(...texts.map(({ ink }) => ink.x), logo?.x ?? Infinity, button?.box.x ?? Infinity);

/** Words that stand at the end reach it with their widest line. */
function flushAtEnd(panel: Panel, end: number): Panel {
  const { logo, texts, button } = panel;
  const boxes = [...texts.map(({ ink }) => ink), ...[logo, button?.box].flatMap((box) => box ?? [])];
  const reach = Math.max(...boxes.map((box) => box.x + box.width));
  return shifted(panel, Math.max(0, Math.floor(end - reach)));
}

/** Mean saliency above which half a photo holds its subject, and takes no text. */
const CALM_SALIENCY_MAX = 0.3;

/** Mean saliency of either half of a photo that fills the canvas. */
function halvesOf({ width, height, saliencyUnder }: Brief): { readonly start: number; readonly end: number } {
  const half = { x: 0, y: 0, width: width / 2, height };
  return { start: saliencyUnder(half), end: saliencyUnder({ ...half, x: width / 2 }) };
}

/** A subject this near the end of the ramp is dimmed by it, in shares of the photo's room. */
const RAMP_REACH = 0.2;

/** Whether a photo's subject cannot leave the ramp at its start, but stands clear of one at its end. */
function isSubjectAtStart({ hero, width, height }: Brief, start: number, edge: number): boolean {
  if (hero === null) return false;
  const room = width - start;
  const span = Math.min(1, room / height / hero.aspect);
  const reach = (edge - start) / room + RAMP_REACH;
  return hero.focusX / span < reach && (1 - hero.focusX) / span > reach;
}

const scoreOf = ({ headlineSizeShare, lineBreakScore }: Panel): number => headlineSizeShare * lineBreakScore;

/** Wide canvases with a photo: words beside the picture, which fades into a dark surface or ends at a light one. */
export function split(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const halves = halvesOf(brief);
  // Where both halves are full of the subject a scenery makes room for words, as a campaign's photo does.
  const isFull = brief.family === "scenery" && Math.min(halves.start, halves.end) <= CALM_SALIENCY_MAX;
  const isFaded = isFull || (brief.isDark && brief.secondaryHero === null);
  const startOfHero = (edge: number) => (isFull ? 0 : isFaded ? Math.round(edge * 0.74) : edge);
  let chosen: { panel: Panel; edge: number } | null = null;
  for (const share of brief.shape === "leaderboard" ? LEADERBOARD_SHARES : LANDSCAPE_SHARES) {
    const edge = safe.x + safe.width * share;
    const span = edge - scale.marginPx * 0.9 - content.x;
    const region = { ...content, width: span };
    const panel = columnPanel(brief, region);
    if (panel !== null && (chosen === null || scoreOf(panel) > scoreOf(chosen.panel) + 0.07))
      chosen = { panel, edge };
    if (chosen !== null && scoreOf(chosen.panel) >= HEADLINE_SIZE_GOOD) break;
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
    // Where the whole photo lies under the words, a ramp of nearly half the canvas leaves no edge to be seen.
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
