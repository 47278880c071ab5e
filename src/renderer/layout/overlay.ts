import type { Box } from "../types.ts";
import { inset } from "./boxes.ts";
import type { Brief, Design, Veil } from "./design.ts";
import { fitPanel, type Panel, signedPanel } from "./panel.ts";
import { coverRegion } from "./place-pictures.ts";
import { split } from "./split.ts";

/**
 * Upright canvases with a photo: the picture over the words. On a dark surface the photo melts into it,
 * on a light one a crisp panel carries the words.
 */
export function overlay(brief: Brief): Design | null {
  if (brief.isDark && brief.secondaryHero === null) return melted(brief);
  const panel = panelled(brief);
  if (brief.shape !== "square" || brief.width < brief.height) return panel;
  const beside = split(brief);
  if (panel === null || beside === null) return panel ?? beside;
  return worth(brief, beside) > worth(brief, panel) ? beside : panel;
}

/** A photo in a slot this wide is a slice of itself. */
const SLICE_ASPECT_MIN = 2.2;
const SLICE_WORTH = 0.7;

/** Picture and headline both want size. */
function worth(brief: Brief, design: Design): number {
  const shown = design.pictures.reduce((sum, { box }) => sum + box.width * box.height, 0);
  const isSliced = design.pictures.some(({ box }) => box.width > box.height * SLICE_ASPECT_MIN);
  return (
    (isSliced ? SLICE_WORTH : 1) *
    Math.sqrt(shown / (brief.width * brief.height)) *
    (0.3 + design.leadShare) *
    design.poise
  );
}

function melted(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const signed = signedPanel(brief, content, { stand: "bottom", fillMax: 0.6 });
  if (signed === null) return null;
  const { panel, logo } = signed;
  const top = logo === null ? panel.top : Math.min(panel.top, logo.y);
  const isFull = brief.family === "scenery";
  const heroEnd = Math.min(
    height,
    Math.round(isFull ? height : top + (height - top) * (brief.shape === "story" ? 0.5 : 0.46)),
  );
  const rampStart = Math.max(0, Math.round(top - height * 0.24));
  const veilBox = { x: 0, y: rampStart, width, height: heroEnd - rampStart };
  const gripAt = Math.min(0.9, Math.max(0.02, (top - scale.marginPx * 0.35 - rampStart) / veilBox.height));
  const veil: Veil = {
    box: veilBox,
    axis: "down",
    stops: [
      { at: 0, opacity: 0 },
      { at: gripAt, opacity: "grip" },
      { at: 1, opacity: isFull ? "grip" : 1 },
    ],
    gripMin: isFull ? 0.66 : 0.58,
  };
  return {
    ground: "flat",
    pictures: coverRegion(
      brief,
      { x: 0, y: 0, width, height: heroEnd },
      { x: 0, y: safe.y / heroEnd, width: 1, height: (top - safe.y) / heroEnd },
    ),
    veils: [veil],
    veilsLie: "over",
    logo,
    texts: panel.texts,
    button: panel.button,
    leadShare: panel.leadShare,
    poise: panel.poise,
  };
}

/** Controls at the foot of a story that a plain panel may stand behind, as a share of the height. */
const CONTROLS_SHARE_MAX = 0.22;

function panelled(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  // Under tall controls a photo may go on but words may not: there the words take the top.
  const isOver = height - safe.y - safe.height > height * CONTROLS_SHARE_MAX;
  const signed = isOver
    ? ledPanel(brief, content)
    : signedPanel(brief, content, { stand: "bottom", fillMax: 0.54 });
  if (signed === null) return null;
  const { panel, logo } = signed;
  const edge = Math.round(
    isOver ? panel.bottom + scale.marginPx : Math.min(panel.top, logo?.y ?? panel.top) - scale.marginPx,
  );
  const hero: Box = isOver
    ? { x: 0, y: edge, width, height: height - edge }
    : { x: 0, y: 0, width, height: edge };
  if (hero.height < height * 0.2) return null;
  const seenTop = Math.max(hero.y, safe.y);
  const seenBottom = Math.min(hero.y + hero.height, safe.y + safe.height);
  return {
    ground: "flat",
    pictures: coverRegion(brief, hero, {
      x: 0,
      y: (seenTop - hero.y) / hero.height,
      width: 1,
      height: (seenBottom - seenTop) / hero.height,
    }),
    veils: [],
    veilsLie: "over",
    logo,
    texts: panel.texts,
    button: panel.button,
    leadShare: panel.leadShare,
    poise: panel.poise,
  };
}

function ledPanel(brief: Brief, region: Box): { panel: Panel; logo: Box | null } | null {
  for (const share of [0.4, 0.5, 0.62]) {
    const part = { ...region, height: region.height * share };
    const panel = fitPanel(brief, { region: part, align: "start", stand: "top", logoAt: "head", fillMax: 1 });
    if (panel !== null && panel.leadShare > 0.7) return { panel, logo: panel.logo };
  }
  const panel = fitPanel(brief, { region, align: "start", stand: "top", logoAt: "head", fillMax: 0.8 });
  return panel === null ? null : { panel, logo: panel.logo };
}
