import type { Box } from "#renderer/types.ts";
import type { Brief } from "../design/design.ts";
import { logoClearancePx, sizeLogo } from "../design/place-elements.ts";
import { spreadOver } from "../words/spread-words.ts";
import { fitPanel, type Panel } from "../words/text-panel.ts";

/** The logo's area as a factor of the usual one: at the foot it ends the composition. */
const LOGO_TIMES = 1.4;
/** Of the region's height, what the logo may take. */
const LOGO_HEIGHT_MAX = 0.2;

/** Words over the logo at a slim column's foot. Null without a logo, or where they do not fit. */
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
  const logo = {
    x: Math.round(region.x + spare),
    y: Math.round(region.y + region.height - size.height),
    ...size,
  };
  return spreadOver({ ...panel, logo }, region, brief.height, "over");
}
