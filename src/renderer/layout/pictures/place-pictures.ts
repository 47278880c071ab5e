import type { Box } from "#renderer/types.ts";
import { contained, covering, WHOLE, wholeBox } from "../design/boxes.ts";
import { type Brief, isCutByFoot, type PictureTraits, type PlacedPicture } from "../design/design.ts";
import { coverDuo, splitRegion } from "./duo-pictures.ts";

/** Factor by which a card's aspect may differ from its photo's if the subject is unknown. */
const CARD_ASPECT_DRIFT = 1.3;
/** Factors by which a card's aspect may be below or above its photo's if the product's bounds are known. */
const SLIMMEST_CARD_DRIFT = 2.2;
const WIDEST_CARD_DRIFT = 1.5;
/** Size of a product with the empty space around it on a card, relative to the product. */
const AIR = 1.12;

/** Fills a region edge to edge: with the hero, or with both heroes of a duo and a gutter between them. */
export function coverRegion(brief: Brief, region: Box, free: Box = WHOLE): readonly PlacedPicture[] {
  if (brief.hero === null) return [];
  return brief.secondaryHero === null ? [covering("hero", region, free)] : coverDuo(brief, region, free);
}

/** Places the hero whole in a region: cut-outs as they are, photos as cards. Duos get two cards. */
export function standInRegion(brief: Brief, region: Box, radiusPx: number): readonly PlacedPicture[] {
  const { hero, secondaryHero } = brief;
  if (hero === null || region.width < 4 || region.height < 4) return [];
  if (secondaryHero === null) return [stand(brief, "hero", hero, region, radiusPx)];
  const [first, second] = splitRegion(hero, secondaryHero, region, brief.scale.marginPx * 0.6);
  return [
    stand(brief, "hero", hero, first, radiusPx),
    stand(brief, "secondary_hero", secondaryHero, second, radiusPx),
  ];
}

function stand(
  brief: Brief,
  role: PlacedPicture["role"],
  traits: PictureTraits,
  region: Box,
  radiusPx: number,
): PlacedPicture {
  if (!traits.isCutOut) {
    // A screenshot is never cropped.
    const wanted = region.width / region.height;
    const aspect = brief.family === "device" ? traits.aspect : cardAspect(traits, wanted);
    const box = wholeBox(contained(region, aspect, 0.5));
    return { ...covering(role, box, WHOLE), fill: "card", cornerRadiusPx: radiusPx };
  }
  const { box, part } =
    brief.family === "person" && brief.shape !== "leaderboard"
      ? placePerson(brief, region, traits.aspect)
      : placeStanding(brief, region, traits.aspect);
  // The photo itself cuts a person at the bottom, so the cut-out ends at the edge of the canvas or panel.
  const isCutBelow = part.height < 1 || brief.family === "person";
  return {
    ...covering(role, box, WHOLE),
    part,
    fill: "cut_out",
    footing: isCutBelow ? "edge" : "floor",
  };
}

interface Placed {
  readonly box: Box;
  /** The visible part of the cut-out. */
  readonly part: Box;
}

/**
 * Horizontal position of a person in the spare width of a landscape canvas, 0..1: nearer to the canvas edge than to the
 * text.
 */
const ACROSS_WIDE = 0.64;
const acrossOf = ({ shape, family }: Brief): number =>
  shape === "landscape" && family === "person" ? ACROSS_WIDE : 0.5;
/**
 * Vertical position of a product in the spare height, 0..1: low on a wide canvas, else about the middle. Two products
 * share one floor, at the bottom.
 */
const downOf = ({ width, height, secondaryHero }: Brief): number =>
  secondaryHero !== null ? 1 : width > height ? 0.72 : 0.48;

/**
 * Minimum visible fraction of the height of an upright device, or of a person on a leaderboard. `UPRIGHT_WIDTH` is the
 * maximum width, as a fraction of the region's.
 */
const SHOWN_DOWN_MIN = { leaderboard: 0.7, other: 0.76 };
const UPRIGHT_WIDTH = 0.86;
/** Products of at least `aspectMin` reach past the end of the canvas, at `times` the width of their region. */
const REACH = {
  usual: { aspectMin: 1.9, times: 1.12 },
  tall: { aspectMin: 1.4, times: 1.15 },
  story: { aspectMin: 0.95, times: 1.15 },
  skyscraper: { aspectMin: 0.95, times: 1.2 },
  longInSkyscraper: { aspectMin: 1.9, times: 1.5 },
};
const TALL_MIN = 1.6;

/** Width of a wide product relative to its region: more than 1 if the end of the canvas cuts it. */
export function reachOf({ hero, secondaryHero, shape, width, height }: Brief): number {
  if (hero === null || !hero.isCutOut || secondaryHero !== null) return 1;
  const { usual, tall, story, skyscraper, longInSkyscraper } = REACH;
  const upright = shape === "story" ? story : height > width * TALL_MIN ? tall : usual;
  const ranked = shape === "skyscraper" ? [longInSkyscraper, skyscraper] : [upright];
  return ranked.find(({ aspectMin }) => hero.aspect >= aspectMin)?.times ?? 1;
}

/**
 * A product or device, as large as its region allows: an upright device is cut by the bottom edge, a wide product by
 * the end.
 */
function placeStanding(brief: Brief, region: Box, aspect: number): Placed {
  const { width, height } = brief;
  if (isCutByFoot(brief) && region.y + region.height >= height - 1) {
    const shownMin = SHOWN_DOWN_MIN[brief.shape === "leaderboard" ? brief.shape : "other"];
    const wide = Math.min(region.width * UPRIGHT_WIDTH, (region.height / shownMin) * aspect);
    const shown = Math.min(1, (region.height * aspect) / wide);
    const box = { ...region, x: region.x + (region.width - wide) * acrossOf(brief), width: wide };
    return shown < 1
      ? { box: wholeBox(box), part: { ...WHOLE, height: shown } }
      : contain(brief, region, aspect);
  }
  const isAtEnd = region.x + region.width >= width - 1;
  const times = reachOf(brief);
  // If the region is wide enough for the product, only a long product may be cut.
  const isWideEnough = region.height * aspect < region.width * times && aspect < REACH.usual.aspectMin;
  if (!isAtEnd || times === 1 || isWideEnough) return contain(brief, region, aspect);
  const wide = Math.min(region.width * times, region.height * aspect);
  const tall = wide / aspect;
  const box = {
    x: width - wide / times,
    y: region.y + (region.height - tall) * downOf(brief),
    width: wide / times,
    height: tall,
  };
  return { box: wholeBox(box), part: { ...WHOLE, width: 1 / times } };
}

const contain = (brief: Brief, region: Box, aspect: number): Placed => ({
  box: wholeBox(contained(region, aspect, downOf(brief), acrossOf(brief))),
  part: WHOLE,
});

/** The aspect nearest to the wanted one at which a card still shows the product whole, with space around it. */
function cardAspect({ aspect, subjectBox }: PictureTraits, wanted: number): number {
  if (subjectBox === null) {
    return Math.min(Math.max(wanted, aspect / CARD_ASPECT_DRIFT), aspect * CARD_ASPECT_DRIFT);
  }
  const slimmest = Math.max(aspect * Math.min(1, subjectBox.width * AIR), aspect / SLIMMEST_CARD_DRIFT);
  const widest = Math.min(aspect / Math.min(1, subjectBox.height * AIR), aspect * WIDEST_CARD_DRIFT);
  return Math.min(Math.max(wanted, slimmest), widest);
}

/** Maximum width of a person, relative to the region's: if the canvas cuts both arms, and if it cuts only one. */
const BLEED_BOTH = 1.5;
const BLEED_ONE = 1.4;

/**
 * Places a person at the full height of a region. In a too narrow region the canvas edges cut the arms: on both sides
 * in a region as wide as the canvas, only at the canvas edge in a region beside text.
 */
function placePerson(brief: Brief, region: Box, aspect: number): Placed {
  const { width } = brief;
  const whole = contained(region, aspect, 1, acrossOf(brief));
  const isAcross = region.x + region.width / 2 > width * 0.45 && region.x + region.width / 2 < width * 0.55;
  const widthMax = isAcross ? width * BLEED_BOTH : region.width * BLEED_ONE;
  const wide = Math.min(region.height * aspect, widthMax);
  const isAtEdge = isAcross || region.x + region.width > width * 0.92;
  if (!isAtEdge || wide <= whole.width * 1.04) return { box: wholeBox(whole), part: WHOLE };
  const tall = wide / aspect;
  const left = isAcross ? width / 2 - wide / 2 : Math.max(region.x, width - wide);
  const shownLeft = Math.max(0, Math.round(left));
  const shownRight = Math.min(width, Math.round(left + wide));
  const top = Math.round(region.y + region.height - tall);
  return {
    box: {
      x: shownLeft,
      y: top,
      width: shownRight - shownLeft,
      height: Math.round(region.y + region.height) - top,
    },
    part: { x: (shownLeft - left) / wide, y: 0, width: (shownRight - shownLeft) / wide, height: 1 },
  };
}
