import { bestScored } from "#renderer/best-scored.ts";
import { unionOf } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/types.ts";
import { covering, inset } from "../design/boxes.ts";
import { type Brief, boxesOf, type Design, headlineScore, type PlacedPicture } from "../design/design.ts";
import { placeInPart } from "../pictures/duo-pictures.ts";
import { showsProtectedAreas } from "../pictures/protected-area-damage.ts";
import { fitPanel, type Panel, shifted, signedPanel } from "../words/text-panel.ts";

/** Stories whose words stand on a field of the surface's colour, which goes on under the app's controls. */

/** Shares of the safe area's height that the words may take; the first that fit leave the photo most. */
const FILL_SHARES = [0.34, 0.42, 0.5, 0.62];
/** A photo under half of the canvas counts less, and so does one that is cut. */
const PHOTO_SHARE_GOOD = 0.5;
const CUT_WORTH = 0.4;
/** Words of one story field may be this much larger than on other canvases. */
const GAP_MARGINS = 1;

/** A photo beside a field of colour at the story's head or foot; the better of both. */
export function storyPanel(brief: Brief): Design | null {
  const designs = FILL_SHARES.flatMap((share) =>
    (["head", "foot"] as const).flatMap((side) => {
      const design = fieldAt(brief, side, share);
      return design === null ? [] : [design];
    }),
  );
  return bestScored(designs, (design) => worthOf(brief, design));
}

function worthOf(brief: Brief, design: Design): number {
  const [photo] = design.pictures;
  if (photo === undefined) return 0;
  const share = photo.box.height / brief.height;
  const seen = Math.min(1, share / PHOTO_SHARE_GOOD);
  const isWhole = showsProtectedAreas(brief, design.pictures);
  return (0.3 + headlineScore(design)) * seen ** 4 * (isWhole ? 1 : CUT_WORTH);
}

function fieldAt(brief: Brief, side: "head" | "foot", share: number): Design | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const gap = scale.marginPx * GAP_MARGINS;
  const upper = { ...content, height: content.height * share };
  const panel =
    side === "foot"
      ? signedPanel(brief, content, { stand: "bottom", fillMax: share })
      : fitPanel(brief, {
          region: upper,
          align: "start",
          stand: "top",
          logoAt: "head",
          fillMax: 1,
          disclaimerAt: "words",
        });
  if (panel === null) return null;
  const words = unionOf(boxesOf(panel));
  const edge = Math.round(side === "foot" ? words.y - gap : words.y + words.height + gap);
  const room: Box =
    side === "foot" ? { x: 0, y: 0, width, height: edge } : { x: 0, y: edge, width, height: height - edge };
  return room.height <= 0 ? null : onField(panel, [covering("hero", room, seenOf(brief, room))]);
}

/** The part of a photo's place (shares) that no controls of an app lie on. */
function seenOf({ safe }: Brief, room: Box): Box {
  const top = Math.max(room.y, safe.y);
  const end = Math.min(room.y + room.height, safe.y + safe.height);
  return {
    x: 0,
    y: (top - room.y) / room.height,
    width: 1,
    height: Math.max(0.2, (end - top) / room.height),
  };
}

/** Both photos of a duo at full width, the words on a field between them. */
export function duoStory(brief: Brief): Design | null {
  const { hero, secondaryHero, width, height, scale, safe } = brief;
  if (hero === null || secondaryHero === null) return null;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const gap = scale.marginPx * GAP_MARGINS;
  for (const share of FILL_SHARES) {
    const region = { ...content, height: content.height * share };
    const panel = signedPanel(brief, region, { stand: "top", fillMax: 1 });
    if (panel === null) continue;
    const words = unionOf(boxesOf(panel));
    const field = words.height + gap * 2;
    const top = Math.round(
      Math.min(Math.max((height - field) / 2, safe.y), safe.y + safe.height - field + gap * 0.5),
    );
    const upper = { x: 0, y: 0, width, height: top };
    const lower = { x: 0, y: top + Math.round(field), width, height: height - top - Math.round(field) };
    return onField(shifted(panel, 0, Math.round(top + gap - words.y)), [
      placeInPart("hero", hero, upper, safe),
      placeInPart("secondary_hero", secondaryHero, lower, safe),
    ]);
  }
  return null;
}

const onField = (panel: Panel, pictures: readonly PlacedPicture[]): Design => ({
  surface: "flat",
  pictures,
  scrims: [],
  scrimsOver: "pictures",
  ...panel,
});
