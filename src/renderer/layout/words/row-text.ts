import type { Box } from "#renderer/types.ts";
import { ARROW, type Brief, type CopyBlock, type PlacedText } from "../design/design.ts";
import { measureDisclaimer, placeText } from "../design/place-elements.ts";
import type { Measured } from "../design/typesetter.ts";
import type { Stack } from "./stack.ts";
import { fitStack, placeStack } from "./text-stack.ts";

const DISCLAIMER = { lineHeight: 1.25, linesMax: 2, align: "start" } as const;

/** The words of a row, placed. */
export type RowText = Pick<CopyBlock, "texts" | "badge" | "headlineSizeShare" | "lineBreakScore">;

/** Badge, headline, subheadline and disclaimer in a row, one under the other; null when they do not fit. */
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
  const inLines = (linesMax: number): Stack | null =>
    fitStack({
      copy: { headline, subheadline, badge },
      widthPx: region.width,
      heightPxMax: region.height - disclaimerPx,
      align: "start",
      scale: {
        ...scale,
        headlineLinesPreferred: Math.min(linesMax, scale.headlineLinesPreferred),
        headlineLinesMax: linesMax,
      },
      typesetter,
      isCompact: true,
    });
  const stack = isDisclaimerAlone ? null : inFewLines(brief, inLines);
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

/** A headline of so few characters has one line in a strip, if that is at least so large a share of its usual size. */
const ONE_LINE = { charactersMax: 14, sizeShareMin: 0.55 } as const;

/** In a tiny strip other words go before the headline is smaller than this share of the height. */
const RICH_SIZE_SHARE_MIN = 0.22;

/** A row's words, their headline on as few lines as read well; other words go before it has a third one. */
function inFewLines(
  { shape, copy, scale, height }: Brief,
  inLines: (linesMax: number) => Stack | null,
): Stack | null {
  const { headline = "", subheadline, badge, oldPrice, cta } = copy;
  const most = scale.headlineLinesMax;
  if (shape === "leaderboard") return inLines(most);
  const one = headline.length > 0 && headline.length <= ONE_LINE.charactersMax ? inLines(1) : null;
  if (one !== null && one.headlineSizeShare >= ONE_LINE.sizeShareMin) return one;
  const isRich = [subheadline, badge, oldPrice].some((text) => text !== undefined);
  const two = inLines(2);
  if (
    shape === "tiny_strip" &&
    isRich &&
    (two?.headlineSizeShare ?? 0) * scale.headlinePxMax < height * RICH_SIZE_SHARE_MIN
  )
    return null;
  return two ?? (isRich || (cta !== undefined && cta !== ARROW) ? null : inLines(most));
}

/** In a strip other words of nearly the headline's size are read first: they have more lines, or a badge around them. */
const OTHER_SHARE_MAX = { text: 0.7, badge: 0.8 } as const;
/** Fine print on a low strip, likewise. */
const FINE_PRINT_SHARE_MAX = 0.55;

/** In lower rows prose has one line. */
const PROSE_ROW_PX_MIN = 70;

function isCrowded({ rows }: Stack, note: Measured | null, { height }: Brief): boolean {
  let lead = 0;
  let others = 0;
  for (const { content } of rows) {
    const isProse = content.kind === "text" && content.role === "subheadline";
    if (isProse && height < PROSE_ROW_PX_MIN && content.measured.set.lines.length > 1) return true;
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
