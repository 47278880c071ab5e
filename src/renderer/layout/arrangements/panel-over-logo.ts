import { unionOf } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/types.ts";
import { type Brief, boxesOf } from "../design/design.ts";
import { logoClearancePx, sizeLogo } from "../design/place-elements.ts";
import { fitPanel, type Panel, shifted } from "../words/text-panel.ts";

/** Area of the logo relative to its usual area: alone at the bottom of a column, a logo can be larger. */
const LOGO_TIMES = 2;
/** Maximum height of the logo, as a fraction of the region's height. */
const LOGO_HEIGHT_MAX = 0.2;

/**
 * Text as one group, centred between the top of a slim column and the logo at its bottom. Null without a logo, or if
 * logo or text does not fit.
 */
export function panelOverLogo(brief: Brief, region: Box): Panel | null {
  const { logo: traits, scale, look } = brief;
  if (traits === null) return null;
  const size = sizeLogo(
    traits.aspect,
    scale.logoArea * LOGO_TIMES,
    region.width,
    region.height * LOGO_HEIGHT_MAX,
  );
  if (size === null) return null;
  const gap = Math.max(scale.marginPx, logoClearancePx(size.height) + 2);
  const panel = fitPanel(brief, {
    region: { ...region, height: region.height - size.height - gap },
    align: "start",
    stand: "middle",
    logoAt: "none",
    fillMax: 1,
    disclaimerAt: "words",
  });
  if (panel === null) return null;
  const spare = look.layout.align === "center" ? (region.width - size.width) / 2 : 0;
  const y = Math.round(region.y + region.height - size.height);
  const logo = { x: Math.round(region.x + spare), y, ...size };
  // Equal space above and below the text, fine print included.
  const words = unionOf(boxesOf(panel));
  const top = (region.y - scale.marginPx + logo.y - words.height) / 2;
  return { ...shifted(panel, 0, Math.round(Math.max(region.y, top) - words.y)), logo };
}
