import type { Brief, Design, Veil } from "./design.ts";
import { fitPanel, type Panel, shifted } from "./panel.ts";
import { coverRegion, inset } from "./pictures.ts";

/** Shares of the width that the words may take, the picture's favourite first. */
const LANDSCAPE_SHARES = [0.46, 0.52, 0.58];
const LEADERBOARD_SHARES = [0.54, 0.6, 0.66, 0.72];
/** A headline at this share of its largest size is large enough to stop looking for more room. */
const LEAD_SHARE_GOOD = 0.78;

const startOf = ({ logo, texts, button }: Panel): number =>
  Math.min(...texts.map(({ ink }) => ink.x), logo?.x ?? Infinity, button?.box.x ?? Infinity);

/** Words that stand at the end reach it with their widest line. */
function flushAtEnd(panel: Panel, end: number): Panel {
  const { logo, texts, button } = panel;
  const boxes = [...texts.map(({ ink }) => ink), ...[logo, button?.box].flatMap((box) => box ?? [])];
  const reach = Math.max(...boxes.map((box) => box.x + box.width));
  return shifted(panel, Math.max(0, Math.floor(end - reach)));
}

/** Words stand on the calmer half of a photo, at the start where both are alike. */
function isStartBusier({ width, height, interestUnder }: Brief): boolean {
  const half = { x: 0, y: 0, width: width / 2, height };
  return interestUnder(half) > interestUnder({ ...half, x: width / 2 }) * 1.04;
}

const worthOf = ({ leadShare, poise }: Panel): number => leadShare * poise;

/** Wide canvases with a photo: words beside the picture, which melts into a dark surface or meets a light one. */
export function split(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const isFull = brief.family === "scenery";
  const isAtEnd = isFull && isStartBusier(brief);
  let chosen: { panel: Panel; edge: number } | null = null;
  for (const share of brief.shape === "leaderboard" ? LEADERBOARD_SHARES : LANDSCAPE_SHARES) {
    const edge = safe.x + safe.width * share;
    const span = edge - scale.marginPx * 0.9 - content.x;
    const region = { ...content, x: isAtEnd ? content.x + content.width - span : content.x, width: span };
    const panel = fitPanel(brief, { region, align: "start", stand: "middle", logoAt: "head", fillMax: 1 });
    if (panel !== null && (chosen === null || worthOf(panel) > worthOf(chosen.panel) + 0.07))
      chosen = { panel, edge };
    if (chosen !== null && worthOf(chosen.panel) >= LEAD_SHARE_GOOD) break;
  }
  if (chosen === null) return null;
  const panel = isAtEnd ? flushAtEnd(chosen.panel, content.x + content.width) : chosen.panel;
  const edge = isAtEnd ? Math.round(width - startOf(panel) + scale.marginPx * 0.9) : Math.round(chosen.edge);
  const isMelt = isFull || (brief.isDark && brief.secondaryHero === null);
  const start = isFull ? 0 : isMelt ? Math.round(edge * 0.74) : edge;
  const hero = { x: start, y: 0, width: width - start, height };
  const veils: Veil[] = [];
  if (isMelt) {
    // Where the whole photo lies under the words, a ramp of nearly half the canvas leaves no edge to be seen.
    const end = isFull ? Math.min(width, edge + width * 0.6) : Math.min(width, edge + (width - edge) * 0.5);
    const wordsEnd = isAtEnd
      ? width - startOf(panel)
      : Math.max(...panel.texts.map(({ ink }) => ink.x + ink.width), start + 1);
    const held = isFull ? Math.min(wordsEnd, edge) : edge - scale.marginPx * 0.9;
    const length = Math.round(end - start);
    const stops: Veil["stops"] = [
      { at: 0, opacity: isFull ? "grip" : 1 },
      { at: Math.min(0.9, (held - start) / length), opacity: "grip" },
      { at: 1, opacity: 0 },
    ];
    veils.push({
      box: { x: isAtEnd ? width - length : start, y: 0, width: length, height },
      axis: "across",
      stops: isAtEnd ? stops.map(({ at, opacity }) => ({ at: 1 - at, opacity })).reverse() : stops,
      gripMin: isFull ? 0.4 : 0.72,
    });
  }
  return {
    ground: "flat",
    pictures: coverRegion(brief, hero, {
      x: isAtEnd ? 0 : (edge - start) / hero.width,
      y: 0,
      width: (width - edge) / hero.width,
      height: 1,
    }),
    veils,
    veilsLie: "over",
    logo: panel.logo,
    texts: panel.texts,
    button: panel.button,
    leadShare: panel.leadShare,
    poise: panel.poise,
  };
}
