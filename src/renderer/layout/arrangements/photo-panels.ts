import { bestScored } from "#renderer/best-scored.ts";
import { unionOf } from "#renderer/box-geometry.ts";
import type { Box } from "#renderer/types.ts";
import { inset, WHOLE } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, boxesOf, type Design, headlineScore, type PlacedPicture } from "../design/design.ts";
import { coverRegion } from "../pictures/place-pictures.ts";
import { showsProtectedAreas } from "../pictures/protected-area-damage.ts";
import { standing } from "../pictures/standing-photo.ts";
import { columnPanel, fitPanel, type Panel, shifted, signedPanel } from "../words/text-panel.ts";
import { panelOverLogo } from "./panel-over-logo.ts";

/** Words on the plain surface and a photo with a sharp edge: nothing lies on the photo, so nothing on it is covered. */

/** Shares of the width that words beside a photo may take, and of the height that words over or under it may. */
const COLUMN_SHARES = [0.36, 0.42, 0.48, 0.54, 0.6, 0.66, 0.72, 0.78];
const BLOCK_SHARES = [0.28, 0.34, 0.42, 0.5, 0.58, 0.66];
/** A photo lower or narrower than this share of the canvas is a strip. */
const PHOTO_SHARE_MIN = 0.2;
/** A photo that cannot fill its place without cutting a face stands smaller in it, and counts this much less. */
const SMALLER_WORTH = 0.55;
/** Heights of a photo that cannot fill the whole of its room without cutting a face, as shares of that room. */
const LOWER_SHARES = [0.92, 0.85, 0.78, 0.72, 0.66, 0.6, 0.55, 0.5, 0.42, 0.34];

/** Rises with what the photo takes of the canvas. */
function photoWorth(brief: Brief, room: Box): number {
  const shareOf = ({ width, height }: Box) => (width * height) / (brief.width * brief.height);
  const { hero } = brief;
  if (hero === null || showsProtectedAreas(brief, picturesIn(brief, room))) return Math.sqrt(shareOf(room));
  const together = unionOf(hero.protectedAreas.map(({ whole }) => whole));
  const root = Math.sqrt(shareOf(standing(room, hero.aspect, together).sharp));
  // The smaller the photo, the less a larger headline makes up for it.
  return root * Math.sqrt(root) * SMALLER_WORTH;
}

/** A button on two lines shows that its column is too narrow. */
const BROKEN_BUTTON_WORTH = 0.4;
const isButtonBroken = ({ button }: Panel): boolean => (button?.text?.set.lines.length ?? 1) > 1;

/** The words in a column at one side, the photo on the rest; null when they do not fit. */
export function panelBeside(brief: Brief, side: "start" | "end"): Design | null {
  const { width, height, scale, safe } = brief;
  const isSmallSafe = hasSmallSafeArea(brief);
  // A small safe area has air around it: its words may come near to its head and foot.
  const content = inset(safe, scale.marginPx, scale.marginPx * (isSmallSafe ? 0.3 : 1));
  const gap = scale.marginPx * (isSmallSafe ? 1.6 : 0.9);
  const found = COLUMN_SHARES.flatMap((share) => {
    const edge = Math.round(safe.x + safe.width * share);
    const region = { ...content, width: edge - gap - content.x };
    const panel = isSmallSafe
      ? signedPanel(brief, region, { stand: "middle", fillMax: 1 })
      : columnPanel(brief, region);
    if (panel === null || width - edge < width * PHOTO_SHARE_MIN) return [];
    return [{ panel, edge: edgeFor(brief, panel, edge) }];
  });
  const best = bestScored(
    found,
    ({ panel, edge }) =>
      (0.25 + headlineScore(panel)) *
      (isButtonBroken(panel) ? BROKEN_BUTTON_WORTH : 1) *
      photoWorth(brief, { x: edge, y: 0, width: width - edge, height }),
    0,
  );
  if (best === null) return null;
  const room = { x: best.edge, y: 0, width: width - best.edge, height };
  if (side === "start") return onPanel(brief, best.panel, room);
  const dx = Math.round(width - best.edge + gap - Math.min(...boxesOf(best.panel).map(({ x }) => x)));
  return onPanel(brief, shifted(best.panel, dx - Math.max(0, overhang(best.panel, dx, brief))), {
    ...room,
    x: 0,
  });
}

/** Of the gap between words and photo, what it may give up for a photo that is whole. */
const GAP_GIVEN = 0.45;

/** The photo's near edge: a little nearer to the words where the photo then shows all protected areas. */
function edgeFor(brief: Brief, panel: Panel, edge: number): number {
  const { width, height, scale, hero } = brief;
  if (hero === null || hero.protectedAreas.length === 0) return edge;
  const roomFrom = (x: number): Box => ({ x, y: 0, width: width - x, height });
  if (showsProtectedAreas(brief, picturesIn(brief, roomFrom(edge)))) return edge;
  const { width: share } = unionOf(hero.protectedAreas.map(({ whole }) => whole));
  const wanted = Math.floor(width - height * hero.aspect * share) - 1;
  const wordsEnd = Math.max(...boxesOf(panel).map((box) => box.x + box.width));
  const isNear = wanted < edge && wanted >= wordsEnd + scale.marginPx * GAP_GIVEN;
  return isNear && showsProtectedAreas(brief, picturesIn(brief, roomFrom(wanted))) ? wanted : edge;
}

/** How far a moved panel would reach past the safe area's margin. */
function overhang(panel: Panel, dx: number, { safe, scale }: Brief): number {
  const end = Math.max(...boxesOf(panel).map((box) => box.x + box.width)) + dx;
  return Math.ceil(end - (safe.x + safe.width - scale.marginPx));
}

/** In a panel of an upright canvas words have room that they lack on a photo: they may be this much larger. */
const UPRIGHT_TIMES = [1.5, 1.25, 1];
const SLIM_TIMES = [1.25, 1];
const OTHER_TIMES = [1];
const typeTimesOf = ({ shape }: Brief): readonly number[] => {
  if (shape === "story" || shape === "portrait") return UPRIGHT_TIMES;
  return shape === "skyscraper" ? SLIM_TIMES : OTHER_TIMES;
};

/** The photo over a panel with the words, or under it; null when the words do not fit. */
export function panelAcross(brief: Brief, side: "foot" | "head"): Design | null {
  const found = typeTimesOf(brief).flatMap((times) => {
    const sized = withLargerType(brief, times);
    return BLOCK_SHARES.flatMap((share) => {
      const laid = blockAcross(sized, side, share);
      return laid === null ? [] : [{ ...laid, sized, times }];
    });
  });
  const best = bestScored(
    found,
    ({ panel, room, times }) => (0.1 + headlineScore(panel) * times) * photoWorth(brief, room),
    0,
  );
  if (best === null) return null;
  const design = onPanel(brief, best.panel, best.room);
  if (showsProtectedAreas(brief, design.pictures)) return design;
  return withLowerPhoto(best.sized, best.room, side) ?? design;
}

const withLargerType = (brief: Brief, times: number): Brief => ({
  ...brief,
  scale: { ...brief.scale, headlinePxMax: brief.scale.headlinePxMax * times },
});

/** Words that take about a share of the height at one side, and the photo's room on the other. */
function blockAcross(
  brief: Brief,
  side: "foot" | "head",
  share: number,
): { readonly panel: Panel; readonly room: Box } | null {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const panel = side === "foot" ? atFoot(brief, content, share) : atHead(brief, content, share);
  if (panel === null) return null;
  const tops = boxesOf(panel).map(({ y }) => y);
  const ends = boxesOf(panel).map((box) => box.y + box.height);
  const edge = Math.round(
    side === "foot"
      ? Math.min(panel.top, ...tops) - scale.marginPx
      : Math.max(panel.bottom, ...ends) + scale.marginPx,
  );
  const room: Box =
    side === "foot" ? { x: 0, y: 0, width, height: edge } : { x: 0, y: edge, width, height: height - edge };
  return room.height < height * PHOTO_SHARE_MIN ? null : { panel, room };
}

/** Type sizes under a photo that leaves a slim column much of its height, as factors of the usual one. */
const TALL_TIMES = [1.5, 1.25, 1];

/** The words of a slim column with the logo at its end, in the type at which its headline is largest. */
function largestInColumn(brief: Brief, region: Box, side: "foot" | "head"): Panel | null {
  const found = TALL_TIMES.flatMap((times) => {
    const sized = withLargerType(brief, times);
    const panel =
      side === "foot"
        ? panelOverLogo(sized, region)
        : fitPanel(sized, { region, align: "start", stand: "middle", logoAt: "head", fillMax: 1 });
    return panel === null ? [] : [{ panel, times }];
  });
  const best = bestScored(found, ({ panel, times }) => headlineScore(panel) * times, 0);
  if (best === null) return null;
  // Its size is compared with that of other compositions.
  return { ...best.panel, headlineSizeShare: Math.min(1, best.panel.headlineSizeShare * best.times) };
}

/** A photo as low as a wide group needs, the words in the middle of a larger panel. */
function withLowerPhoto(brief: Brief, room: Box, side: "foot" | "head"): Design | null {
  const { width, height, scale, safe } = brief;
  for (const share of LOWER_SHARES) {
    const tall = Math.round(room.height * share);
    const lower = side === "foot" ? { ...room, height: tall } : { ...room, y: height - tall, height: tall };
    if (!showsProtectedAreas(brief, picturesIn(brief, lower))) continue;
    const rest =
      side === "foot"
        ? { x: 0, y: tall, width, height: height - tall }
        : { x: 0, y: 0, width, height: height - tall };
    const top = Math.max(rest.y, safe.y);
    const end = Math.min(rest.y + rest.height, safe.y + safe.height);
    const region = inset(
      { x: safe.x, y: top, width: safe.width, height: end - top },
      scale.marginPx,
      scale.marginPx,
    );
    const panel =
      (brief.shape === "skyscraper" ? largestInColumn(brief, region, side) : null) ??
      signedPanel(brief, region, { stand: "middle", fillMax: 0.9 });
    if (panel !== null) return onPanel(brief, panel, lower);
  }
  return null;
}

const atFoot = (brief: Brief, region: Box, fillMax: number): Panel | null =>
  signedPanel(brief, region, { stand: "bottom", fillMax });

function atHead(brief: Brief, region: Box, share: number): Panel | null {
  const part = { ...region, height: region.height * share };
  return fitPanel(brief, { region: part, align: "start", stand: "top", logoAt: "head", fillMax: 1 });
}

/** The photo's subject stands where no edge is reserved. */
function picturesIn(brief: Brief, room: Box): readonly PlacedPicture[] {
  const { safe } = brief;
  const top = Math.max(room.y, safe.y);
  const end = Math.min(room.y + room.height, safe.y + safe.height);
  const free =
    end - top < room.height * 0.4
      ? WHOLE
      : { x: 0, y: (top - room.y) / room.height, width: 1, height: (end - top) / room.height };
  return coverRegion(brief, room, free);
}

const onPanel = (brief: Brief, panel: Panel, room: Box): Design => ({
  surface: "flat",
  pictures: picturesIn(brief, room),
  scrims: [],
  scrimsOver: "pictures",
  ...panel,
});
