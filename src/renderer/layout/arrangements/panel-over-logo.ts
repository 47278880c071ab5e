import type { Box } from "#renderer/types.ts";
import type { Brief, PlacedText } from "../design/design.ts";
import { logoClearancePx, sizeLogo } from "../design/place-elements.ts";
import { fitPanel, type Panel, shifted } from "../words/text-panel.ts";

/** The logo's area as a factor of the usual one: at the foot it ends the composition. */
const LOGO_TIMES = 1.4;
/** Of the region's height, what the logo may take. */
const LOGO_HEIGHT_MAX = 0.2;

/**
 * Words in the middle of a region, over the logo at its foot: in a high column logo and words in one block would float
 * between two voids. Null without a logo, or where they do not fit.
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
  const logo = {
    x: Math.round(region.x + spare),
    y: Math.round(region.y + region.height - size.height),
    ...size,
  };
  return { ...spread(panel, region, brief.height), logo };
}

/** A void over and under the words that is larger than this share of the canvas is shared with the gap over the button. */
const VOID_MAX = 0.12;

/** The offer moved down and the words up by as much, so that a column with much spare height has three even gaps. */
function spread(panel: Panel, region: Box, height: number): Panel {
  const over = panel.top - region.y;
  if (panel.button === null || over <= height * VOID_MAX) return panel;
  const third = Math.round(over / 3);
  const isOffer = ({ role }: PlacedText): boolean => role !== "headline" && role !== "subheadline";
  const words = { ...panel, button: null, texts: panel.texts.filter((text) => !isOffer(text)) };
  const offer = { ...panel, badge: undefined, texts: panel.texts.filter(isOffer) };
  const [up, down] = [shifted(words, 0, -third), shifted(offer, 0, third)];
  return { ...panel, badge: up.badge, texts: [...up.texts, ...down.texts], button: down.button };
}
