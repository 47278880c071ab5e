import { bestScored } from "#renderer/best-scored.ts";
import { unionOf } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/types.ts";
import { type Brief, boxesOf, headlineScore } from "../design/design.ts";
import { sizeLogo } from "../design/place-elements.ts";
import { placeButton, sizeButton } from "../words/button.ts";
import { alignedAtStart, fitPanel, type Panel } from "../words/text-panel.ts";

/** Of the bar's width, what the button and the logo may take. */
const END_WIDTH_MAX = 0.44;
/** Sizes of the button that are tried, in those of the least. */
const BUTTON_TIMES = [1, 1.2, 1.5, 1.8];
/** The size of a button's type that suits its headline, as a share of the headline's. */
const BUTTON_SHARE = 0.46;
/** A smaller logo than this share of its usual area is lost. */
const LOGO_SHARE_MIN = 0.4;

/**
 * A low bar of words under a photo: headline and price at its start, the button at its end, the logo over the words or
 * before the button. Null without a button, or where they do not fit.
 */
export function barPanel(brief: Brief, region: Box): Panel | null {
  const panels = BUTTON_TIMES.flatMap((times) =>
    (brief.logo === null ? [true] : [true, false]).flatMap(
      (isOver) => barWith(brief, region, times, isOver) ?? [],
    ),
  );
  return bestScored(panels, (panel) => {
    const headline = panel.texts.find(({ role }) => role === "headline")?.set.fontSizePx;
    const share = headline === undefined ? BUTTON_SHARE : (panel.button?.sizePx ?? 0) / headline;
    const apart = share > BUTTON_SHARE ? share - BUTTON_SHARE : BUTTON_SHARE - share;
    return headlineScore(panel) * (1 - Math.min(0.5, apart));
  });
}

function barWith(brief: Brief, region: Box, buttonTimes: number, isOver: boolean): Panel | null {
  const { copy, scale, typesetter, logo: traits } = brief;
  if (copy.cta === undefined) return null;
  const size = sizeButton(
    typesetter,
    copy.cta,
    Math.round(scale.ctaPxMin * buttonTimes * 2) / 2,
    region.width * END_WIDTH_MAX,
    true,
  );
  if (size === null || size.height > region.height) return null;
  const gap = scale.marginPx;
  const logoWidth = region.width * END_WIDTH_MAX - size.width - gap;
  const logo =
    traits === null || isOver ? null : sizeLogo(traits.aspect, scale.logoArea, logoWidth, region.height);
  if (!isOver && (logo === null || logo.width * logo.height < scale.logoArea * LOGO_SHARE_MIN)) return null;
  const middle = region.y + region.height / 2;
  const button = placeButton(size, region.x + region.width - size.width, middle - size.height / 2);
  const placed = logo && {
    x: Math.round(button.box.x - gap - logo.width),
    y: Math.round(middle - logo.height / 2),
    ...logo,
  };
  const end = (placed ?? button.box).x - gap;
  const words = fitPanel(
    { ...alignedAtStart(brief), logo: isOver ? traits : null, copy: { ...copy, cta: undefined } },
    {
      region: { ...region, width: end - region.x },
      align: "start",
      stand: "middle",
      logoAt: isOver ? "lead" : "none",
      fillMax: 1,
      disclaimerAt: "words",
    },
  );
  if (words === null) return null;
  const panel = { ...words, button, logo: placed ?? words.logo };
  const { y, height } = unionOf(boxesOf(panel));
  return { ...panel, top: y, bottom: y + height };
}
