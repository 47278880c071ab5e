import { bestScored } from "#renderer/best-scored.ts";
import type { Box, Copy } from "#renderer/types.ts";
import { inset, symmetric } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import {
  type Brief,
  boxesOf,
  type Design,
  isCutByFoot,
  isStandingPerson,
  isUprightDevice,
} from "../design/design.ts";
import { reachOf, standInRegion } from "../pictures/place-pictures.ts";
import { columnPanel, fitPanel, signedPanel } from "../words/text-panel.ts";
import { isWide, productOnPanel, scoreProductOnSurface } from "./product-panels.ts";
import { onSurface, productUnderWords, TINT_OPACITY } from "./product-under-words.ts";

const SHARES_BESIDE = [0.5, 0.44, 0.56, 0.62];
/**
 * Widths of the text column beside a whole upright device, as fractions of the safe area. The first at which the text
 * fits is used.
 */
const SHARES_BESIDE_DEVICE = [0.44, 0.5];
const SHARES_BESIDE_WIDE = [0.5, 0.44, 0.56, 0.62, 0.68, 0.74];
/**
 * Aspects (width / height) of canvases with text above the picture: a text column beside the picture would leave the
 * top and bottom empty.
 */
const STACK_ASPECT = { min: 0.45, max: 0.72 } as const;
const SLIM_HEADLINE_TIMES = 1.45;
/** A product of at least this aspect leaves much of a slim column's height empty. */
const WIDE_ASPECT_MIN = 1.15;
const WIDE_HEADLINE_TIMES = [1, 1.25, 1.5];
/** Fraction of the spare height that is added above the content. The same height is added below. */
const OUTER_AIR = 0.23;
const SHARES_OVER = [0.4, 0.34, 0.28, 0.46, 0.54, 0.64];

/**
 * A product, person or device on a plain lit surface, with text beside or above it, whichever leaves more room for
 * both.
 */
export function productOnSurface(brief: Brief): Design | null {
  // A leaderboard is too short for a floor, so a panel separates the text from the product.
  const onPanel = brief.shape === "leaderboard" ? productOnPanel(brief) : null;
  if (onPanel !== null) return onPanel;
  const aspect = brief.width / brief.height;
  const isSlim = aspect >= STACK_ASPECT.min && aspect < STACK_ASPECT.max;
  const stacked = isSlim ? productUnderWords(brief) : null;
  if (stacked !== null) return stacked;
  const isWhole = isDeviceWhole(brief);
  const shares = isWide(brief) ? SHARES_BESIDE_WIDE : isWhole ? SHARES_BESIDE_DEVICE : SHARES_BESIDE;
  const besides =
    brief.shape === "skyscraper" || isSlim ? [] : shares.flatMap((share) => beside(brief, share) ?? []);
  const designs: Design[] = isWhole ? besides.slice(0, 1) : besides;
  if (!isWide(brief)) {
    const overs = (isButtonBelow: boolean) =>
      SHARES_OVER.flatMap((share) => overWith(brief, share, isButtonBelow));
    // On a skyscraper the button stays with the text, unless the product is wide. A whole device has its text beside it
    // if that fits.
    const isGrouped = brief.shape === "skyscraper" && (brief.hero?.aspect ?? 0) < WIDE_ASPECT_MIN;
    if (!isWhole || designs.length === 0) designs.push(...(isGrouped ? [] : overs(true)), ...overs(false));
  }
  return bestScored(designs, (design) => scoreProductOnSurface(brief, design), 0);
}

/** Whether the hero is an upright device that is shown whole beside its text. */
const isDeviceWhole = (brief: Brief): boolean => isUprightDevice(brief) && !isCutByFoot(brief);

function beside(brief: Brief, share: number): Design | null {
  const { width, height, scale, safe } = brief;
  const m = scale.marginPx;
  // A small safe area has space around it, so text may come close to its top and bottom.
  const content = inset(safe, m, hasSmallSafeArea(brief) ? m * 0.3 : m);
  const edge = safe.x + safe.width * share;
  const region = { ...content, width: edge - content.x };
  // A small safe area has little height. A logo beside the button leaves more room for the headline.
  const panel = hasSmallSafeArea(brief)
    ? signedPanel(brief, region, { stand: "middle", fillMax: 1 })
    : columnPanel(brief, region);
  if (panel === null) return null;
  // The picture's region starts at the end of the text, often well before the column's edge.
  const wordsEnd = Math.min(edge, Math.max(...boxesOf(panel).map((box) => box.x + box.width)));
  const start = isWide(brief) ? wordsEnd + m * 1.4 : edge + m * 0.8;
  const pad = Math.max(3, isWide(brief) ? m * 0.55 : m * 0.85);
  const end = width - (reachOf(brief) > 1 ? 0 : isWide(brief) ? m : m * 0.8);
  const top = isStandingPerson(brief) ? Math.max(3, m * 0.5) : pad;
  const tall: Box = {
    x: start,
    y: top,
    width: end - start,
    height: height - top - (isCutByFoot(brief) ? 0 : Math.max(pad, height * FLOOR_SHARE)),
  };
  const free = hasSmallSafeArea(brief)
    ? aroundSafeArea(brief, tall)
    : isDeviceWhole(brief)
      ? standingWhole(brief, tall)
      : isStandingPerson(brief)
        ? tall
        : aroundCentre(brief, tall);
  const standing = standInRegion(brief, free, scale.cornerRadiusPx * 1.6);
  return onSurface(brief, standing, panel, "across", [
    { at: 0, opacity: "adaptive" },
    { at: Math.min(0.9, wordsEnd / width), opacity: "adaptive" },
    { at: 1, opacity: TINT_OPACITY },
  ]);
}

/** Height of a whole device, and the position of its bottom on a plain surface, as fractions of the canvas height. */
const DEVICE = { height: 0.8, foot: 0.92 };
const standingWhole = ({ height, hero, hasBackground }: Brief, room: Box): Box => {
  const tall = Math.min(height * DEVICE.height, room.width / (hero?.aspect ?? 1));
  return { ...room, y: hasBackground ? (height - tall) / 2 : height * DEVICE.foot - tall, height: tall };
};
/** Horizontal centre of a product on a landscape, as a fraction of the canvas width. */
const CENTRE_WIDE = 0.74;

/** The product's region on a landscape: the part of `room` that is centred as near to `CENTRE_WIDE` as possible. */
function aroundCentre(brief: Brief, room: Box): Box {
  const { shape, hero, secondaryHero, width } = brief;
  if (shape !== "landscape" || hero === null || !hero.isCutOut || secondaryHero !== null) return room;
  const wide = room.height * hero.aspect;
  if (isCutByFoot(brief) || wide >= room.width) return room;
  const last = room.x + room.width - wide;
  return { ...room, x: Math.min(last, Math.max(room.x, width * CENTRE_WIDE - wide / 2)), width: wide };
}

/** The floor in front of a product takes at least this fraction of the height. */
const FLOOR_SHARE = 0.055;

/**
 * Limits the hero around a small safe area, so that it does not dwarf the text. A person reaches the canvas's lower
 * edge.
 */
function aroundSafeArea({ family, safe, width, height }: Brief, region: Box): Box {
  const isPerson = family === "person";
  const bottom = isPerson ? height : Math.min(region.y + region.height, safe.y + safe.height * 1.6);
  const top = Math.max(region.y, safe.y - safe.height * (isPerson ? 0.35 : 0.6));
  const end = Math.min(width, safe.x + safe.width * 1.12);
  return { x: region.x, y: top, width: end - region.x, height: bottom - top };
}

/**
 * Text above the picture. Above a wide picture on an upright canvas, several text sizes are tried, to use the spare
 * height.
 */
function overWith(brief: Brief, share: number, isButtonBelow: boolean): readonly Design[] {
  const { shape, hero } = brief;
  const usual = shape === "skyscraper" ? SLIM_HEADLINE_TIMES : 1;
  const isUpright = shape === "skyscraper" || shape === "portrait";
  const isLoose = isUpright && hero?.isCutOut === true && hero.aspect >= WIDE_ASPECT_MIN;
  return (isLoose ? WIDE_HEADLINE_TIMES : [1]).flatMap((times) => {
    const tight = withTextAbove(brief, share, isButtonBelow, usual * times, 0);
    if (tight === null) return [];
    // Spare height is spread over top and bottom as well as between text, product and button.
    const outer = isLoose ? looseHeightOf(tight) * OUTER_AIR : 0;
    const design =
      (outer < brief.height * 0.02
        ? null
        : withTextAbove(brief, share, isButtonBelow, usual * times, outer)) ?? tight;
    return [{ ...design, headlineSizeShare: Math.min(1, design.headlineSizeShare * times) }];
  });
}

/** The sum of the gaps between a picture, the text above it and the button below it; 0 if no button is below it. */
function looseHeightOf({ pictures, texts, button }: Design): number {
  const box = pictures[0]?.box;
  if (box === undefined || button === null || button.box.y < box.y) return 0;
  const above = texts.map(({ ink }) => ink.y + ink.height).filter((end) => end <= box.y);
  return button.box.y - box.height - Math.max(...above);
}

/** `outerPx` is extra space at both top and bottom, in addition to the margins. */
function withTextAbove(
  brief: Brief,
  share: number,
  isButtonBelow: boolean,
  times: number,
  outerPx: number,
): Design | null {
  const { width, height, scale, safe, copy } = brief;
  const m = scale.marginPx;
  const content = inset(symmetric(safe, width), m, m);
  const region = { ...content, y: content.y + outerPx, height: content.height * share };
  // A picture cut by the canvas edge has nothing below it: button and disclaimer stay with the text.
  const isOnEdge = isCutByFoot(brief);
  if (isButtonBelow && (isOnEdge || copy.cta === undefined || copy.headline === undefined)) return null;
  const isDisclaimerBelow = !isOnEdge && (copy.disclaimer !== undefined || isButtonBelow);
  const below: Copy = {
    ...(isDisclaimerBelow ? { disclaimer: copy.disclaimer } : {}),
    // Below the product, the price is beside the button.
    ...(isButtonBelow ? { cta: copy.cta, price: copy.price, oldPrice: copy.oldPrice } : {}),
  };
  const above: Copy = {
    ...copy,
    ...(isDisclaimerBelow ? { disclaimer: undefined } : {}),
    ...(isButtonBelow ? { cta: undefined, price: undefined, oldPrice: undefined } : {}),
  };
  const body = { ...brief, copy: above, scale: { ...scale, headlinePxMax: scale.headlinePxMax * times } };
  const request = { stand: "top", fillMax: 1, disclaimerAt: "words" } as const;
  const panel = fitPanel(body, { ...request, region, align: "center", logoAt: "head" });
  if (panel === null) return null;
  const note = isDisclaimerBelow
    ? footOf(brief, below, { ...content, height: content.height - outerPx })
    : null;
  if (isDisclaimerBelow && note === null) return null;
  const top = panel.bottom + m * 1.1;
  // A picture may extend below the safe area, text may not.
  const bottom = isOnEdge
    ? height
    : note !== null
      ? note.top - m * 0.8
      : height - Math.max(m * 1.1, (height - safe.y - safe.height) * 0.4);
  const left = reachOf(brief) > 1 ? m * 0.5 : m;
  const free = {
    x: left,
    y: top,
    width: width - left - (reachOf(brief) > 1 ? 0 : m),
    height: bottom - top,
  };
  if (free.height < height * 0.22) return null;
  const design = onSurface(brief, standInRegion(brief, free, scale.cornerRadiusPx * 1.6), panel, "down", [
    { at: 0, opacity: "adaptive" },
    { at: (panel.bottom + m * 0.3) / height, opacity: "adaptive" },
    // Between the text and the disclaimer at the bottom the scrim is thinner.
    ...(note === null
      ? [{ at: 1, opacity: TINT_OPACITY }]
      : [
          { at: (panel.bottom + note.top) / 2 / height, opacity: TINT_OPACITY },
          { at: (note.top - m * 0.3) / height, opacity: "adaptive" as const },
          { at: 1, opacity: "adaptive" as const },
        ]),
  ]);
  if (note === null) return design;
  return { ...design, texts: [...design.texts, ...note.texts], button: design.button ?? note.button };
}

/** Maximum fraction of the height for text below the picture: with more, a price would be as large as the headline. */
const FOOT_SHARE_MAX = 0.24;

/** The panel below the picture: a button, a disclaimer or both. */
function footOf(brief: Brief, copy: Copy, content: Box) {
  const height = content.height * FOOT_SHARE_MAX;
  return fitPanel(
    { ...brief, copy },
    {
      region: { ...content, y: content.y + content.height - height, height },
      align: "center",
      stand: "bottom",
      logoAt: "none",
      fillMax: 1,
    },
  );
}
