import type { Line } from "./break-opportunities.ts";
import type { FontFace, ShapedGlyph } from "./font-face.ts";
import { isJoinedScript, visualRuns } from "./itemise.ts";

/** A glyph of a line in visual order; x from the line's start, both in font units, y down. */
export interface LineGlyph {
  readonly glyph: number;
  readonly x: number;
  readonly y: number;
  /** ISO 15924 tag of the run. */
  readonly script: string;
}

/** A shaped line in font units, measured by what it draws. */
export interface ShapedLine {
  readonly glyphs: readonly LineGlyph[];
  /** Left and right end of the ink; both 0 when nothing is drawn. */
  readonly inkLeft: number;
  readonly inkRight: number;
  readonly advance: number;
}

/** Space between letters in font units. Anything but 0 turns ligatures off. */
export type Tracking = number;

/** Shapes one line as it will be drawn. */
export function shapeLine(face: FontFace, { text, levels }: Line, tracking: Tracking): ShapedLine {
  const glyphs: LineGlyph[] = [];
  let [x, inkLeft, inkRight] = [0, Infinity, -Infinity];
  for (const run of visualRuns(text, levels)) {
    const spacing = isJoinedScript(run.script) ? 0 : tracking;
    const shaped = face.shape(text, run, spacing !== 0);
    shaped.forEach((glyph, i) => {
      const isBlank = glyph.glyph === 0 && isInvisible(text, glyph.cluster);
      if (!isBlank) {
        const left = x + glyph.offsetX;
        const extent = face.outline(glyph.glyph).extent;
        if (extent !== null) {
          inkLeft = Math.min(inkLeft, left + extent.left);
          inkRight = Math.max(inkRight, left + extent.right);
          glyphs.push({ glyph: glyph.glyph, x: left, y: glyph.offsetY, script: run.script });
        }
      }
      x += isBlank ? blankAdvance(face, text, glyph.cluster) : glyph.advance;
      if (shaped[i + 1]?.cluster !== glyph.cluster) x += spacing;
    });
  }
  const isDrawn = inkRight >= inkLeft;
  return { glyphs, inkLeft: isDrawn ? inkLeft : 0, inkRight: isDrawn ? inkRight : 0, advance: x };
}

/**
 * Running sum of advances of a paragraph by UTF-16 unit, `length + 1` entries: the width of the line from a
 * to b is about `sums[b] - sums[a]`, short only of what kerning and joins change at its ends.
 */
export function advanceSums(face: FontFace, paragraph: Line, tracking: Tracking): Float64Array {
  const advances = new Float64Array(paragraph.text.length + 1);
  for (const run of visualRuns(paragraph.text, paragraph.levels)) {
    const spacing = isJoinedScript(run.script) ? 0 : tracking;
    const shaped = face.shape(paragraph.text, run, spacing !== 0);
    shaped.forEach((glyph: ShapedGlyph, i) => {
      const isBlank = glyph.glyph === 0 && isInvisible(paragraph.text, glyph.cluster);
      const advance = isBlank ? blankAdvance(face, paragraph.text, glyph.cluster) : glyph.advance;
      const extra = shaped[i + 1]?.cluster === glyph.cluster ? 0 : spacing;
      advances[glyph.cluster + 1] = (advances[glyph.cluster + 1] ?? 0) + advance + extra;
    });
  }
  for (let i = 1; i < advances.length; i += 1) advances[i] = (advances[i] ?? 0) + (advances[i - 1] ?? 0);
  return advances;
}

const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;
const BLANK = /^\p{White_Space}$/u;
/** Width of a blank the font does not have, in ems. */
const BLANK_EM = 0.25;

/** Whether a character draws nothing by its nature: blanks, joiners, variation selectors, marks of direction. */
export function isInvisibleCharacter(character: string): boolean {
  return INVISIBLE.test(character);
}

function isInvisible(text: string, at: number): boolean {
  return isInvisibleCharacter(String.fromCodePoint(text.codePointAt(at) ?? 0x20));
}

function blankAdvance(face: FontFace, text: string, at: number): number {
  return BLANK.test(text.charAt(at)) ? face.unitsPerEm * BLANK_EM : 0;
}
