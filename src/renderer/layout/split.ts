import type { Brief, Design, Veil } from "./design.ts";
import { fitPanel, type Panel } from "./panel.ts";
import { coverRegion, inset } from "./pictures.ts";

/** Shares of the width that the words may take, the picture's favourite first. */
const LANDSCAPE_SHARES = [0.46, 0.52, 0.58];
const LEADERBOARD_SHARES = [0.54, 0.6, 0.66, 0.72];
/** A headline at this share of its largest size is large enough to stop looking for more room. */
const LEAD_SHARE_GOOD = 0.78;

const worthOf = ({ leadShare, poise }: Panel): number => leadShare * poise;

/** Wide canvases with a photo: words beside the picture, which melts into a dark surface or meets a light one. */
export function split(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  let chosen: { panel: Panel; edge: number } | null = null;
  for (const share of brief.shape === "leaderboard" ? LEADERBOARD_SHARES : LANDSCAPE_SHARES) {
    const edge = safe.x + safe.width * share;
    const region = { ...content, width: edge - scale.marginPx * 0.9 - content.x };
    const panel = fitPanel(brief, { region, align: "start", stand: "middle", logoAt: "head", fillMax: 1 });
    if (panel !== null && (chosen === null || worthOf(panel) > worthOf(chosen.panel) + 0.07))
      chosen = { panel, edge };
    if (chosen !== null && worthOf(chosen.panel) >= LEAD_SHARE_GOOD) break;
  }
  if (chosen === null) return null;
  const { panel } = chosen;
  const edge = Math.round(chosen.edge);
  const isFull = brief.family === "scenery";
  const isMelt = isFull || (brief.isDark && brief.secondaryHero === null);
  const start = isFull ? 0 : isMelt ? Math.round(edge * 0.74) : edge;
  const hero = { x: start, y: 0, width: width - start, height };
  const veils: Veil[] = [];
  if (isMelt) {
    // Where the whole photo lies under the words, a ramp of nearly half the canvas leaves no edge to be seen.
    const end = isFull ? Math.min(width, edge + width * 0.5) : Math.min(width, edge + (width - edge) * 0.5);
    const wordsEnd = Math.max(...panel.texts.map(({ ink }) => ink.x + ink.width), start + 1);
    const held = isFull ? Math.min(wordsEnd, edge) : edge - scale.marginPx * 0.9;
    const box = { x: start, y: 0, width: Math.round(end - start), height };
    veils.push({
      box,
      axis: "across",
      stops: [
        { at: 0, opacity: isFull ? "grip" : 1 },
        { at: Math.min(0.9, (held - start) / box.width), opacity: "grip" },
        { at: 1, opacity: 0 },
      ],
      gripMin: isFull ? 0.5 : 0.72,
    });
  }
  return {
    ground: "flat",
    pictures: coverRegion(brief, hero, {
      x: (edge - start) / hero.width,
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
