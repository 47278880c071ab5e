import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { inset } from "../design/boxes.ts";
import { type BrandGraphic, type Brief, type Design, headlineScore, isWordless } from "../design/design.ts";
import { columnPanel, fitPanel, type Panel } from "../words/text-panel.ts";
import { row } from "./row.ts";

/** Packs without a picture: a field of colour, the brand's mark on it larger than life, and the words beside it. */

/** Shares of the canvas that a field takes, the preferred one first. */
const FIELD_SHARES = {
  beside: [0.46, 0.42, 0.38, 0.34, 0.3, 0.26],
  across: [0.52, 0.47, 0.42, 0.37, 0.32, 0.27],
} as const;
/** How much a field that is twice as large counts against the headline. */
const FIELD_WORTH = 1.7;
/** A mark's edge against the shorter side of its field, and how far inside the field's near edge it begins. */
const MARK_TIMES = 1.16;
const MARK_INDENT = 0.13;
/** The same of a mark on the plain canvas, against its shorter side. */
const POSTER_TIMES = 1.18;
const POSTER_AT = { wide: { x: 0.84, y: 0.56 }, tall: { x: 0.76, y: 0.42 } } as const;
/** Small marks across a field of a pattern. */
const PATTERN_COUNT = 2.6;
/** Without a picture words may be larger: factors of a shape's largest headline. */
const HEADLINE_TIMES: Partial<Record<Brief["shape"], number>> = {
  skyscraper: 1.5,
  story: 1.45,
  portrait: 1.4,
  square: 1.2,
  landscape: 1.2,
  leaderboard: 1.3,
};
const LOGO_TIMES = 1.35;
const LONE_LOGO_TIMES = 6;

type Graphic = "mark" | "pattern";
type Side = "start" | "end" | "head" | "foot";

/** A brief whose words and logo take the room that a picture would have. */
function enlarged(brief: Brief): Brief {
  const { scale, shape } = brief;
  const times = HEADLINE_TIMES[shape] ?? 1;
  return {
    ...brief,
    scale: {
      ...scale,
      headlinePxMax: scale.headlinePxMax * times,
      logoArea: scale.logoArea * LOGO_TIMES,
    },
  };
}

const squareAt = (x: number, y: number, edge: number): Box => ({
  x: Math.round(x - edge / 2),
  y: Math.round(y - edge / 2),
  width: Math.round(edge),
  height: Math.round(edge),
});

function graphicIn(field: Box, graphic: Graphic, side: Side): BrandGraphic {
  const { x, y, width, height } = field;
  const short = Math.min(width, height);
  if (graphic === "pattern") return { field, mark: squareAt(0, 0, short / PATTERN_COUNT), isRepeated: true };
  // It is cut by the edges of the canvas alone: cut by the field's own edge too it would be unreadable.
  const edge = short * MARK_TIMES;
  const isAcross = side === "head" || side === "foot";
  const indent = short * MARK_INDENT + edge / 2;
  const along = (start: number, length: number, isOuterFirst: boolean): number =>
    isOuterFirst ? start + length - indent : start + indent;
  const mark = isAcross
    ? squareAt(x + width * 0.62, along(y, height, side === "head"), edge)
    : squareAt(along(x, width, side === "start"), y + height * 0.56, edge);
  return { field, mark, isRepeated: false };
}

const designOf = (panel: Panel, graphic: BrandGraphic): Design => ({
  surface: "lit",
  pictures: [],
  scrims: [],
  scrimsOver: "pictures",
  graphic,
  ...panel,
});

/** Logo and words in a region; a logo alone is as large as it allows. */
function panelIn(brief: Brief, region: Box, stand: "top" | "middle" | "bottom"): Panel | null {
  if (isWordless(brief.copy)) {
    const logoArea = brief.scale.logoArea * LONE_LOGO_TIMES;
    return fitPanel(brief, {
      region,
      align: "center",
      stand: "middle",
      logoAt: "lead",
      fillMax: 1,
      logoArea,
    });
  }
  if (brief.shape === "leaderboard") return columnPanel(brief, region);
  return fitPanel(brief, { region, align: "start", stand, logoAt: "head", fillMax: 1 });
}

interface Trial {
  readonly panel: Panel | null;
  readonly field: Box;
  readonly share: number;
}

function bestOf(trials: readonly Trial[], graphic: Graphic, side: Side): Design | null {
  const fitting = trials.flatMap(({ panel, field, share }) =>
    panel === null ? [] : [{ panel, field, share }],
  );
  const best = bestScored(fitting, ({ panel, share }) => headlineScore(panel) + FIELD_WORTH * share);
  return best === null ? null : designOf(best.panel, graphicIn(best.field, graphic, side));
}

/** A field at one side, the words on the rest. */
export function fieldBeside(brief: Brief, side: "start" | "end", graphic: Graphic): Design | null {
  const large = enlarged(brief);
  const { width, height, scale, safe } = large;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const trials = FIELD_SHARES.beside.map((share): Trial => {
    const wide = Math.round((side === "end" ? width - safe.x - safe.width : safe.x) + safe.width * share);
    const room = content.width - (wide - (side === "end" ? width - content.x - content.width : content.x));
    const gap = scale.marginPx * 0.9;
    const region = { ...content, x: side === "end" ? content.x : wide + gap, width: room - gap };
    const field = { x: side === "end" ? width - wide : 0, y: 0, width: wide, height };
    return { panel: panelIn(large, region, "middle"), field, share };
  });
  return bestOf(trials, graphic, side);
}

/** A field over the words, or under them; it reaches under what a story reserves. */
export function fieldAcross(brief: Brief, side: "head" | "foot", graphic: Graphic): Design | null {
  const large = enlarged(brief);
  const { width, height, scale, safe } = large;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const gap = scale.marginPx * 0.9;
  const trials = FIELD_SHARES.across.map((share): Trial => {
    const reserved = side === "head" ? safe.y : height - safe.y - safe.height;
    const high = Math.round(reserved + safe.height * share);
    const field = { x: 0, y: side === "head" ? 0 : height - high, width, height: high };
    const top = side === "head" ? high + gap : content.y;
    const bottom = side === "head" ? content.y + content.height : height - high - gap;
    const region = { ...content, y: top, height: bottom - top };
    return { panel: panelIn(large, region, side === "head" ? "bottom" : "middle"), field, share };
  });
  return bestOf(trials, graphic, side);
}

/** The mark past the end of a canvas of one colour; the logo at the head, the words at the foot or the start. */
export function poster(brief: Brief): Design | null {
  const large = enlarged(brief);
  const { width, height, scale, safe } = large;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const isWide = safe.width > safe.height * 1.1;
  const region = isWide ? { ...content, width: content.width * 0.64 } : content;
  const panel = panelIn(large, region, isWide ? "middle" : "bottom");
  if (panel === null) return null;
  const at = isWide ? POSTER_AT.wide : POSTER_AT.tall;
  const mark = squareAt(width * at.x, safe.y + safe.height * at.y, Math.min(width, height) * POSTER_TIMES);
  return designOf(panel, { field: null, mark, isRepeated: false });
}

/** Around the button of a strip's field, and the field's width without one, in heights of the canvas. */
const ROW_FIELD_GAP = 0.11;
const ROW_FIELD_WIDTH = 1.3;

/** A row of logo, words and button, its end on a field of colour. */
export function rowWithField(brief: Brief): Design | null {
  const { width, height, safe, copy } = brief;
  const reserved = copy.cta === undefined ? Math.round(height * ROW_FIELD_WIDTH) : 0;
  const design = row({ ...brief, safe: { ...safe, width: safe.width - reserved } });
  if (design === null) return null;
  const start = design.button === null ? width - reserved : design.button.box.x - height * ROW_FIELD_GAP;
  const isFree = design.texts.every(({ ink }) => ink.x + ink.width < start);
  const field = { x: Math.round(start), y: 0, width: width - Math.round(start), height };
  return isFree ? { ...design, graphic: graphicIn(field, "mark", "end") } : design;
}

/** A row over the mark, which is far larger than the canvas is high. */
export function rowOnMark(brief: Brief): Design | null {
  const design = row(brief);
  const mark = squareAt(brief.width * 0.64, brief.height * 0.5, brief.height * 2.6);
  return design === null ? null : { ...design, graphic: { field: null, mark, isRepeated: false } };
}
