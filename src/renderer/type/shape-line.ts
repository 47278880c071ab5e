import type { Line } from "./break-opportunities.ts";
import { isInvisibleCharacter } from "./clusters.ts";
import type { FaceChain, FaceRun } from "./font-chain.ts";
import type { FontFace, ShapedGlyph } from "./font-face.ts";
import { isSpacedScript, visualRuns } from "./itemise.ts";

/** A glyph of a line in visual order. `x` from the line's start and `y` downwards, in units of the main face. */
export interface LineGlyph {
  readonly face: FontFace;
  readonly glyph: number;
  /** Units of the main face per unit of the glyph's own face. */
  readonly scale: number;
  readonly x: number;
  readonly y: number;
  /**
   * ISO 15924 tag of the run; "no script" for a glyph of another face, because zones of the main face do not apply to
   * it.
   */
  readonly script: string;
}

/** A shaped line in units of the main face, measured by its ink. */
export interface ShapedLine {
  readonly glyphs: readonly LineGlyph[];
  /** Left and right end of the ink; both 0 when nothing is drawn. */
  readonly inkLeft: number;
  readonly inkRight: number;
  readonly advance: number;
}

/** Space between letters in units of the main face. Any value but 0 turns ligatures off. */
export type Tracking = number;

/** ISO 15924 for no script. */
const NO_SCRIPT = "Zxxx";

/** Shapes one line as it will be drawn. */
export function shapeLine(chain: FaceChain, { text, levels }: Line, tracking: Tracking): ShapedLine {
  const glyphs: LineGlyph[] = [];
  let [x, inkLeft, inkRight] = [0, Infinity, -Infinity];
  for (const run of faceRunsOf(chain, text, levels)) {
    const { face, scale } = run;
    const spacing = isSpacedScript(run.script) ? tracking : 0;
    const script = face === chain.main ? run.script : NO_SCRIPT;
    const shaped = face.shape(text, run, spacing !== 0, chain.language);
    shaped.forEach((glyph, i) => {
      const isBlank = glyph.glyph === 0 && isInvisible(text, glyph.cluster);
      if (!isBlank) {
        const left = x + glyph.offsetX * scale;
        const extent = face.outline(glyph.glyph).extent;
        if (extent !== null) {
          inkLeft = Math.min(inkLeft, left + extent.left * scale);
          inkRight = Math.max(inkRight, left + extent.right * scale);
          glyphs.push({ face, glyph: glyph.glyph, scale, x: left, y: glyph.offsetY * scale, script });
        }
      }
      x += advanceOf(run, text, glyph);
      if (shaped[i + 1]?.cluster !== glyph.cluster) x += spacing;
    });
  }
  const isDrawn = inkRight >= inkLeft;
  return { glyphs, inkLeft: isDrawn ? inkLeft : 0, inkRight: isDrawn ? inkRight : 0, advance: x };
}

/**
 * Running sum of advances of a paragraph by UTF-16 unit, `length + 1` entries. The width of the line from a to b is
 * about `sums[b] - sums[a]`, except for kerning and joins at its ends.
 */
export function advanceSums(chain: FaceChain, paragraph: Line, tracking: Tracking): Float64Array {
  const { text, levels } = paragraph;
  const advances = new Float64Array(text.length + 1);
  for (const run of faceRunsOf(chain, text, levels)) {
    const spacing = isSpacedScript(run.script) ? tracking : 0;
    const shaped = run.face.shape(text, run, spacing !== 0, chain.language);
    shaped.forEach((glyph: ShapedGlyph, i) => {
      const extra = shaped[i + 1]?.cluster === glyph.cluster ? 0 : spacing;
      const advance = advanceOf(run, text, glyph);
      advances[glyph.cluster + 1] = (advances[glyph.cluster + 1] ?? 0) + advance + extra;
    });
  }
  for (let i = 1; i < advances.length; i += 1) advances[i] = (advances[i] ?? 0) + (advances[i - 1] ?? 0);
  return advances;
}

const faceRunsOf = (chain: FaceChain, text: string, levels: Uint8Array): FaceRun[] =>
  visualRuns(text, levels).flatMap((run) => chain.faceRuns(text, run));

const BLANK = /^\p{White_Space}$/u;
/** Width of a blank that the font lacks, in ems. */
const BLANK_EM = 0.25;

function isInvisible(text: string, at: number): boolean {
  return isInvisibleCharacter(String.fromCodePoint(text.codePointAt(at) ?? 0x20));
}

/** A glyph's advance in units of the main face. */
function advanceOf({ face, scale }: FaceRun, text: string, { glyph, cluster, advance }: ShapedGlyph): number {
  if (glyph !== 0 || !isInvisible(text, cluster)) return advance * scale;
  return BLANK.test(text.charAt(cluster)) ? face.unitsPerEm * scale * BLANK_EM : 0;
}
