import type { Box } from "#renderer/types.ts";
import type { Brief, CopyBlock, PlacedText } from "../design/design.ts";
import { measureDisclaimer, placeText } from "../design/place-elements.ts";
import type { Measured } from "../design/typesetter.ts";
import type { Stack } from "./stack.ts";
import { fitStack, placeStack } from "./text-stack.ts";

const DISCLAIMER = { lineHeight: 1.25, linesMax: 2, align: "start" } as const;

/** The words of a row, placed. */
export type RowText = Pick<CopyBlock, "texts" | "badge" | "headlineSizeShare" | "lineBreakScore">;

/** Badge, headline, subheadline and disclaimer in a row, one under the other or in two columns; null when they do not fit. */
export function rowText(brief: Brief, region: Box): RowText | null {
  const { copy, scale, typesetter } = brief;
  const { headline, subheadline, disclaimer, badge } = copy;
  if ([headline, subheadline, disclaimer, badge].every((text) => text === undefined)) {
    return { texts: [], badge: undefined, headlineSizeShare: 1, lineBreakScore: 1 };
  }
  if (region.width < 20) return null;
  const note = measureDisclaimer(brief, { ...DISCLAIMER, widthPx: region.width });
  if (note === "does not fit") return null;
  // On a high row the words above the disclaimer are far larger than it, and so are their descenders.
  const disclaimerPx =
    note === null
      ? 0
      : note.heightPx +
        Math.max(scale.disclaimerPx * (brief.height >= HIGH_ROW_PX_MIN ? 1.9 : 1.2), brief.height * 0.045);
  const isDisclaimerAlone = [headline, subheadline, badge].every((text) => text === undefined);
  const stack = isDisclaimerAlone
    ? null
    : fitStack({
        copy: { headline, subheadline, badge },
        widthPx: region.width,
        heightPxMax: region.height - disclaimerPx,
        align: "start",
        scale,
        typesetter,
        isCompact: true,
      });
  const columns = inColumns(brief, region);
  if (columns !== null && columns.headlineSizeShare > (stack?.headlineSizeShare ?? 0) * COLUMNS_GAIN_MIN)
    return columns;
  if (!isDisclaimerAlone && stack === null) return null;
  if (stack !== null && isCrowded(stack, note, brief)) return null;
  const stackPx = stack?.heightPx ?? 0;
  if (stackPx + disclaimerPx > region.height) return null;
  const top = region.y + (region.height - stackPx - disclaimerPx) / 2;
  const texts: PlacedText[] = [];
  const placed = stack === null ? null : placeStack(stack, region.x, top, region.width, "start");
  if (placed !== null) texts.push(...placed.texts);
  if (note !== null) {
    const noteTop = top + stackPx + disclaimerPx - note.heightPx;
    texts.push(placeText("disclaimer", note, region.x, region.width, noteTop, "start"));
  }
  return {
    texts,
    badge: placed?.badge,
    headlineSizeShare: stack?.headlineSizeShare ?? 1,
    lineBreakScore: stack?.lineBreakScore ?? 1,
  };
}

/** In a strip other words of nearly the headline's size are read first: they have more lines, or a badge around them. */
const OTHER_SHARE_MAX = { text: 0.7, badge: 0.8 } as const;
/** Fine print on a low strip, likewise. */
const FINE_PRINT_SHARE_MAX = 0.55;

function isCrowded({ rows }: Stack, note: Measured | null, { height }: Brief): boolean {
  let lead = 0;
  let others = 0;
  for (const { content } of rows) {
    if (content.kind === "text" && content.role === "headline") lead = content.measured.set.fontSizePx;
    else if (content.kind === "text" || content.kind === "badge") {
      const { set } = content.kind === "text" ? content.measured : content.size.measured;
      others = Math.max(others, set.fontSizePx / OTHER_SHARE_MAX[content.kind]);
    }
  }
  if (note !== null && height < HIGH_ROW_PX_MIN)
    others = Math.max(others, note.set.fontSizePx / FINE_PRINT_SHARE_MAX);
  return lead > 0 && others > lead;
}

const HIGH_ROW_PX_MIN = 100;
/** How much larger two columns must make the headline. */
const COLUMNS_GAIN_MIN = 1.12;
/** Canvases this much wider than high have room for words in two columns. */
const COLUMNS_ASPECT_MIN = 6;

/** Sets a long row in two columns: the headline at the start, subheadline and disclaimer beside it. */
function inColumns(brief: Brief, region: Box): RowText | null {
  const { copy, scale, typesetter } = brief;
  if (copy.headline === undefined || copy.subheadline === undefined || copy.badge !== undefined) return null;
  if (region.width < region.height * COLUMNS_ASPECT_MIN) return null;
  const request = { align: "start", scale, typesetter, isCompact: true } as const;
  const lead = fitStack({
    ...request,
    copy: { headline: copy.headline },
    widthPx: region.width * 0.6,
    heightPxMax: region.height,
  });
  if (lead === null) return null;
  const leadTop = region.y + (region.height - lead.heightPx) / 2;
  const { texts: leading } = placeStack(lead, region.x, leadTop, region.width * 0.6, "start");
  const end = Math.max(...leading.map(({ ink }) => ink.x + ink.width));
  const x = Math.round(end + region.height * 0.45);
  const width = region.x + region.width - x;
  if (width < region.height * 2) return null;
  const note = measureDisclaimer(brief, { ...DISCLAIMER, widthPx: width });
  if (note === "does not fit") return null;
  const disclaimerPx = note === null ? 0 : note.heightPx + scale.disclaimerPx * 1.2;
  // Beside a headline the subheadline has at most about half its size.
  const quiet = { ...scale, headlinePxMax: scale.headlinePxMax * 0.72 };
  const stack = fitStack({
    ...request,
    scale: quiet,
    copy: { subheadline: copy.subheadline },
    widthPx: width,
    heightPxMax: region.height - disclaimerPx,
  });
  if (stack === null) return null;
  const top = region.y + (region.height - stack.heightPx - disclaimerPx) / 2;
  const texts = [...leading, ...placeStack(stack, x, top, width, "start").texts];
  if (note !== null) {
    texts.push(
      placeText("disclaimer", note, x, width, top + stack.heightPx + disclaimerPx - note.heightPx, "start"),
    );
  }
  const { headlineSizeShare, lineBreakScore } = lead;
  return { texts, badge: undefined, headlineSizeShare, lineBreakScore };
}
