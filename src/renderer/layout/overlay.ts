import type { Box } from "../types.ts";
import type { Brief, Design, Veil } from "./design.ts";
import { fitPanel, type Panel } from "./panel.ts";
import { coverRegion, inset } from "./pictures.ts";
import { sizeLogo } from "./place.ts";

/**
 * Upright canvases with a photo: the picture over the words. On a dark surface the photo melts into it,
 * on a light one a crisp panel carries the words.
 */
export function overlay(brief: Brief): Design | null {
  return brief.isDark ? melted(brief) : panelled(brief);
}

function melted(brief: Brief): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const signed = signedPanel(brief, content);
  if (signed === null) return null;
  const { panel, logo } = signed;
  const top = logo === null ? panel.top : Math.min(panel.top, logo.y);
  const isFull = brief.family === "scenery" || brief.shape === "story";
  const heroEnd = Math.min(height, Math.round(isFull ? height : top + (height - top) * 0.66));
  const freeCentre = (safe.y + top) / 2;
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
      { x: 0.5, y: Math.min(0.6, Math.max(0.3, freeCentre / heroEnd)) },
    ),
    veils: [veil],
    logo,
    texts: panel.texts,
    button: panel.button,
    leadShare: panel.leadShare,
  };
}

/** The words with the logo signing them: beside the button where the row has room, else over the headline. */
function signedPanel(brief: Brief, region: Box): { panel: Panel; logo: Box | null } | null {
  const { logo: traits, scale } = brief;
  const request = { region, align: "start", stand: "bottom", fillMax: 0.6 } as const;
  const plain = fitPanel(brief, { ...request, logoAt: "none" });
  if (traits === null) return plain === null ? null : { panel: plain, logo: null };
  if (plain !== null && plain.button !== null) {
    const { box } = plain.button;
    const room = region.width - box.width - scale.marginPx * 1.5;
    const size = sizeLogo(traits.aspect, scale.logoArea, room, box.height);
    if (size !== null && size.height * size.width >= scale.logoArea * 0.6) {
      const y = Math.round(box.y + (box.height - size.height) / 2);
      return { panel: plain, logo: { x: Math.round(region.x + region.width - size.width), y, ...size } };
    }
  }
  const led = fitPanel(brief, { ...request, logoAt: "lead" });
  return led === null ? null : { panel: led, logo: led.logo };
}

function panelled(brief: Brief): Design | null {
  const { width, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const panel = fitPanel(brief, {
    region: content,
    align: "start",
    stand: "bottom",
    logoAt: "lead",
    fillMax: brief.logo === null ? 0.6 : 0.5,
  });
  if (panel === null) return null;
  const top = panel.logo === null ? panel.top : panel.logo.y;
  const heroEnd = Math.round(top - scale.marginPx);
  if (heroEnd < brief.height * 0.2) return null;
  return {
    ground: "flat",
    pictures: coverRegion(
      brief,
      { x: 0, y: 0, width, height: heroEnd },
      { x: 0.5, y: Math.min(0.62, (safe.y + heroEnd) / 2 / heroEnd) },
    ),
    veils: [],
    logo: panel.logo,
    texts: panel.texts,
    button: panel.button,
    leadShare: panel.leadShare,
  };
}
