import type { Box } from "#renderer/types.ts";
import type { Brief, Design } from "../design/design.ts";
import { logoClearancePx, sizeLogo } from "../design/place-elements.ts";
import { fitPanel, type Panel, shifted } from "../words/text-panel.ts";

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
  return marked(brief, region, { ...panel, logo }, logo.y - gap);
}

/** Where a slim column's words leave more of the canvas's height, the brand's mark fills it. */
const VOID_MAX = 0.3;
/** The mark's edge in canvas widths, and its middle: the canvas cuts it. */
const MARK = { edge: 1.15, across: 0.7 } as const;

/** Few words at the head of their column, and under them the mark, larger than life and cut by the canvas's edge. */
function marked(
  { width, height, scale }: Brief,
  region: Box,
  panel: Panel,
  end: number,
): Panel & Pick<Design, "graphic"> {
  const up = Math.round(panel.top - region.y - scale.marginPx * 0.6);
  const from = panel.bottom - up;
  if (end - from < height * VOID_MAX) return panel;
  const edge = Math.min(width * MARK.edge, (end - from) * 0.86);
  return {
    ...shifted(panel, 0, -up),
    logo: panel.logo,
    graphic: {
      field: null,
      mark: {
        x: Math.round(width * MARK.across - edge / 2),
        y: Math.round((from + end - edge) / 2),
        width: Math.round(edge),
        height: Math.round(edge),
      },
      isRepeated: false,
    },
  };
}
