import type { Box } from "../types.ts";
import type { Brief, Design, Veil } from "./design.ts";
import { fitPanel } from "./panel.ts";
import { coverRegion, inset } from "./pictures.ts";
import { logoClearancePx, sizeLogo } from "./place.ts";

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
  const logoSize =
    brief.logo === null
      ? null
      : sizeLogo(brief.logo.aspect, scale.logoArea, content.width * 0.8, content.height * 0.25);
  if (brief.logo !== null && logoSize === null) return null;
  const logo = logoSize === null ? null : { x: Math.round(content.x), y: Math.round(content.y), ...logoSize };
  const head = logo === null ? 0 : logo.height + logoClearancePx(logo.height) + scale.marginPx;
  const region = { ...content, y: content.y + head, height: content.height - head };
  const panel = fitPanel(brief, { region, align: "start", stand: "bottom", logoAt: "none", fillMax: 0.75 });
  if (panel === null) return null;
  const top = panel.top;
  const heroEnd = Math.min(
    height,
    Math.round(
      brief.family === "scenery" ? height : top + (height - top) * (brief.shape === "story" ? 0.75 : 0.62),
    ),
  );
  const hero: Box = { x: 0, y: 0, width, height: heroEnd };
  const freeCentre = (safe.y + top) / 2;
  const rampStart = Math.max(0, Math.round(top - height * 0.24));
  const veilBox = { x: 0, y: rampStart, width, height: heroEnd - rampStart };
  const gripAt = Math.min(0.9, Math.max(0.02, (top - scale.marginPx * 0.35 - rampStart) / veilBox.height));
  const veils: Veil[] = [
    {
      box: veilBox,
      axis: "down",
      stops: [
        { at: 0, opacity: 0 },
        { at: gripAt, opacity: "grip" },
        { at: 1, opacity: heroEnd === height ? "grip" : 1 },
      ],
      gripMin: 0.58,
    },
  ];
  if (logo !== null) veils.push(headVeil(width, logo, scale.marginPx));
  return {
    ground: "flat",
    pictures: coverRegion(brief, hero, { x: 0.5, y: Math.min(0.6, Math.max(0.3, freeCentre / heroEnd)) }),
    veils,
    logo,
    texts: panel.texts,
    button: panel.button,
    leadShare: panel.leadShare,
  };
}

/** A breath of the surface behind a logo that stands on a photo. */
function headVeil(width: number, logo: Box, marginPx: number): Veil {
  return {
    box: { x: 0, y: 0, width, height: Math.round(logo.y + logo.height + marginPx * 1.5) },
    axis: "down",
    stops: [
      { at: 0, opacity: 0.62 },
      { at: 0.35, opacity: 0.5 },
      { at: 1, opacity: 0 },
    ],
    gripMin: 0,
  };
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
