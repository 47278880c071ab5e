import type { Box } from "#renderer/types.ts";
import { inset } from "../design/boxes.ts";
import type { Brief, Design, Scrim } from "../design/design.ts";
import { coverRegion } from "../pictures/place-pictures.ts";
import { fitPanel, type Panel, signedPanel } from "../words/text-panel.ts";

/**
 * Upright canvases with a photo: the picture over the text. On a dark surface the photo fades into it,
 * on a light one the text has a panel with a sharp edge.
 */
export function overlay(brief: Brief): Design | null {
  if (brief.isDark && brief.secondaryHero === null) return faded(brief);
  return panelled(brief);
}

function faded(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const panel = signedPanel(brief, content, { stand: "bottom", fillMax: 0.6 });
  if (panel === null) return null;
  const { logo } = panel;
  const top = logo === null ? panel.top : Math.min(panel.top, logo.y);
  const isFull = brief.family === "scenery";
  const heroEnd = Math.min(
    height,
    Math.round(isFull ? height : top + (height - top) * (brief.shape === "story" ? 0.5 : 0.46)),
  );
  const rampStart = Math.max(0, Math.round(top - height * 0.24));
  const scrimBox = { x: 0, y: rampStart, width, height: heroEnd - rampStart };
  const adaptiveAt = Math.min(
    0.9,
    Math.max(0.02, (top - scale.marginPx * 0.35 - rampStart) / scrimBox.height),
  );
  const scrim: Scrim = {
    box: scrimBox,
    axis: "down",
    stops: [
      { at: 0, opacity: 0 },
      { at: adaptiveAt, opacity: "adaptive" },
      { at: 1, opacity: isFull ? "adaptive" : 1 },
    ],
    adaptiveOpacityMin: isFull ? 0.66 : 0.58,
  };
  return {
    surface: "flat",
    pictures: coverRegion(
      brief,
      { x: 0, y: 0, width, height: heroEnd },
      { x: 0, y: safe.y / heroEnd, width: 1, height: (top - safe.y) / heroEnd },
    ),
    scrims: [scrim],
    scrimsOver: "pictures",
    ...panel,
  };
}

/** Up to this share of the height a plain panel may lie behind the controls at a story's foot. */
const CONTROLS_SHARE_MAX = 0.22;

function panelled(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  // Behind tall controls a photo may continue, but words may not: the words stand at the top.
  const isOver = height - safe.y - safe.height > height * CONTROLS_SHARE_MAX;
  const panel = isOver
    ? panelAtTop(brief, content)
    : signedPanel(brief, content, { stand: "bottom", fillMax: 0.54 });
  if (panel === null) return null;
  const edge = Math.round(
    isOver ? panel.bottom + scale.marginPx : Math.min(panel.top, panel.logo?.y ?? panel.top) - scale.marginPx,
  );
  const hero: Box = isOver
    ? { x: 0, y: edge, width, height: height - edge }
    : { x: 0, y: 0, width, height: edge };
  if (hero.height < height * 0.2) return null;
  const seenTop = Math.max(hero.y, safe.y);
  const seenBottom = Math.min(hero.y + hero.height, safe.y + safe.height);
  return {
    surface: "flat",
    pictures: coverRegion(brief, hero, {
      x: 0,
      y: (seenTop - hero.y) / hero.height,
      width: 1,
      height: (seenBottom - seenTop) / hero.height,
    }),
    scrims: [],
    scrimsOver: "pictures",
    ...panel,
  };
}

function panelAtTop(brief: Brief, region: Box): Panel | null {
  for (const share of [0.4, 0.5, 0.62]) {
    const part = { ...region, height: region.height * share };
    const panel = fitPanel(brief, { region: part, align: "start", stand: "top", logoAt: "head", fillMax: 1 });
    if (panel !== null && panel.headlineSizeShare > 0.7) return panel;
  }
  return fitPanel(brief, { region, align: "start", stand: "top", logoAt: "head", fillMax: 0.8 });
}
