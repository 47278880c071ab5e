import { contained, covering, inset, WHOLE, wholeBox } from "../design/boxes.ts";
import type { Brief, Design } from "../design/design.ts";
import { signedPanel } from "../words/text-panel.ts";

/** An upright photo fills a story well enough as it is. */
const ASPECT_MIN = 0.8;
/** A larger enlargement is blurred; the photo then stands smaller, but never under this share of the width. */
const ENLARGEMENT_MAX = 1.2;
const WIDTH_SHARE_MIN = 0.6;
/** Words may take this share of the safe area. */
const FILL_MAX = 0.5;
/** The scrim under the words reaches its density within this share of its box. */
const RAMP_SHARE = 0.12;

/**
 * A landscape photo in a story: whole and sharp over its own blurred copy, the words under it. For photos of which an
 * upright crop would show a fraction, or that would be enlarged until they blur.
 */
export function storyExtension(brief: Brief): Design | null {
  const { hero, width, height, safe, scale } = brief;
  if (hero === null || brief.secondaryHero !== null || hero.aspect < ASPECT_MIN) return null;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const panel = signedPanel(brief, content, { stand: "bottom", fillMax: FILL_MAX });
  if (panel === null) return null;
  const top = Math.min(panel.top, panel.logo?.y ?? panel.top);
  const room = { x: 0, y: safe.y, width, height: top - scale.marginPx - safe.y };
  if (room.height < height * 0.15) return null;
  const whole = contained(room, hero.aspect, 0.5);
  const { enlargement } = brief.cropOf("hero", Math.round(whole.width), Math.round(whole.height), WHOLE);
  const shrink = Math.max(WIDTH_SHARE_MIN, Math.min(1, ENLARGEMENT_MAX / enlargement));
  const sharp = wholeBox(
    contained(
      { ...room, x: (width - whole.width * shrink) / 2, width: whole.width * shrink },
      hero.aspect,
      0.5,
    ),
  );
  const start = sharp.y + sharp.height;
  return {
    surface: "flat",
    pictures: [{ ...covering("hero", { x: 0, y: 0, width, height }, WHOLE), shown: WHOLE, sharp }],
    scrims: [
      {
        box: { x: 0, y: start, width, height: height - start },
        axis: "down",
        stops: [
          { at: 0, opacity: 0 },
          { at: RAMP_SHARE, opacity: "adaptive" },
          { at: 1, opacity: "adaptive" },
        ],
        adaptiveOpacityMin: 0.4,
      },
    ],
    scrimsOver: "pictures",
    ...panel,
  };
}
