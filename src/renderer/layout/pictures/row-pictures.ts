import type { Box } from "#renderer/types.ts";
import { covering, WHOLE, wholeBox } from "../design/boxes.ts";
import { type Brief, isCutByFoot, type PlacedPicture } from "../design/design.ts";
import { coverRegion, standInRegion } from "./place-pictures.ts";

/** The pictures at the start of a row, at most `pictureWidth` pixels wide. A `scenery` picture fills the whole row. */
export function rowPictures(brief: Brief, pictureWidth: number, isOnSurface: boolean) {
  const { width, height, scale, safe } = brief;
  if (brief.family === "scenery") return coverRegion(brief, { x: 0, y: 0, width, height });
  if (pictureWidth <= 0 || brief.hero === null) return [];
  if (!isOnSurface) return coverRegion(brief, { x: 0, y: 0, width: Math.round(pictureWidth), height });
  const pad = Math.max(2, height * 0.05);
  const tall = height - pad * (isCutByFoot(brief) ? 1 : 2);
  const start = { x: safe.x + scale.marginPx, y: pad, width: pictureWidth };
  const natural = Math.max(isLone(brief) ? 0 : pictureWidth * 0.6, brief.hero.aspect * tall);
  const whole = { ...start, width: Math.min(natural, pictureWidth), height: tall };
  const upper = upperPart(brief, { ...start, height: height - pad });
  return onPanel(brief, upper ?? standInRegion(brief, whole, scale.cornerRadiusPx * 1.2));
}

const isLone = ({ hero, secondaryHero }: Brief): boolean => hero?.isCutOut === true && secondaryHero === null;

/** Visible fraction of an upright cut-out's height in a strip: shown whole, it would be tiny. */
const UPPER_SHARE: Partial<Record<Brief["family"], number>> = { person: 0.47, device: 0.52, product: 0.74 };
/** A device or product of this aspect or wider is large enough when shown whole. */
const UPRIGHT_ASPECT_MAX = 0.75;

/**
 * A person down to the shoulders, or the upper part of an upright device or product, cut by the strip's bottom. Null
 * for other pictures.
 */
function upperPart(brief: Brief, region: Box): readonly PlacedPicture[] | null {
  const { hero, family } = brief;
  const share = UPPER_SHARE[family];
  if (hero === null || share === undefined || !isLone(brief)) return null;
  if (family !== "person" && hero.aspect >= UPRIGHT_ASPECT_MAX) return null;
  const ends = hero.protectedAreas.flatMap(({ kind, whole }) =>
    kind === "subject" ? [] : whole.y + whole.height,
  );
  const least = Math.max(share, (region.height * hero.aspect) / region.width, ...ends);
  if (least >= 1) return null;
  const box = wholeBox({ ...region, width: (region.height / least) * hero.aspect });
  const part = { ...WHOLE, height: least };
  return [{ ...covering("hero", box, WHOLE), part, fill: "cut_out", footing: "edge" }];
}

/** A lone cut-out on a panel at the start of the strip, with the same space at both sides. */
function onPanel(brief: Brief, pictures: readonly PlacedPicture[]): readonly PlacedPicture[] {
  const [picture, other] = pictures;
  if (picture?.fill !== "cut_out" || other !== undefined || brief.hasBackground) return pictures;
  const { x, width } = picture.box;
  return [{ ...picture, cell: { x: 0, y: 0, width: x * 2 + width, height: brief.height } }];
}
