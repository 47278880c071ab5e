import type { Bounds } from "../box-geometry.ts";
import { type Path, PathBuilder, pathExtent } from "../vector/index.ts";
import { isInvisibleCharacter } from "./clusters.ts";
import { type HarfBuzz, ShaperFault, tagOf } from "./harfbuzz.ts";
import { TYPE_LIMITS } from "./limits.ts";
import { OutlinePen } from "./outline-pen.ts";
import { type PairKerning, withKerning } from "./pair-kerning.ts";

/** A glyph's shape in font units, y down, the origin on the baseline. */
export interface Outline {
  readonly path: Path;
  /** Null when the glyph draws nothing. */
  readonly extent: Bounds | null;
}

/** A glyph placed by the shaper, in font units from the start of the run, y down. */
export interface ShapedGlyph {
  readonly glyph: number;
  /** Index of the glyph's first unit in the shaped text. */
  readonly cluster: number;
  readonly advance: number;
  readonly offsetX: number;
  readonly offsetY: number;
}

/** Properties of a font file that the shaper does not expose, or computes slowly. */
export interface FontTraits {
  readonly kerning: PairKerning;
  /** Glyphs that may draw nothing. */
  readonly shortGlyphs: ReadonlySet<number>;
}

/** A stretch of text of one script and direction. */
export interface ScriptRun {
  readonly start: number;
  readonly end: number;
  /** ISO 15924, for instance `Latn`. */
  readonly script: string;
  readonly isRightToLeft: boolean;
}

/** Heights above the baseline in font units. */
export interface VerticalMetrics {
  readonly capHeight: number;
  readonly xHeight: number;
}

const EMPTY: Outline = { path: new PathBuilder().build(), extent: null };
const DIRECTION = { leftToRight: 4, rightToLeft: 5 } as const;
const RECORD_BYTES = 20;
const CODE_POINTS_AT_ONCE = 4_096;
/**
 * Characters, besides the invisible ones, that may have an empty glyph: format characters, the blank Braille pattern,
 * signs that stack letters.
 */
const MAY_BE_EMPTY =
  /^[\p{Cc}\p{Cf}\u2800\u1039\u17D2\u1A60\u{10A3F}\u{11133}\u{1193E}\u{11A47}\u{11A99}\u{11D97}]$/u;
/** Features that are off with letter spacing, because ligatures and joins look wrong with letters apart. */
const LOOSE_FEATURES = ["liga", "clig", "dlig", "hlig"] as const;

/** One weight of a font file, ready to shape and to draw. */
export class FontFace {
  readonly unitsPerEm: number;
  readonly metrics: VerticalMetrics;
  readonly #harfbuzz: HarfBuzz;
  readonly #font: number;
  readonly #scratch: number;
  readonly #looseFeatures: number;
  readonly #languages = new Map<string, number>();
  readonly #traits: FontTraits;
  #outlines = new Map<number, Outline>();

  /** `font` is an hb_font_t scaled to its units per em. Throws {@link ShaperFault}. */
  constructor(harfbuzz: HarfBuzz, font: number, unitsPerEm: number, traits: FontTraits) {
    this.#harfbuzz = harfbuzz;
    this.#font = font;
    this.unitsPerEm = unitsPerEm;
    this.#traits = traits;
    this.#scratch = harfbuzz.allocate(4);
    this.#looseFeatures = harfbuzz.allocate(16 * LOOSE_FEATURES.length);
    const records = harfbuzz.view(this.#looseFeatures, 16 * LOOSE_FEATURES.length);
    LOOSE_FEATURES.forEach((feature, i) => {
      records.setUint32(i * 16, tagOf(feature), true);
      records.setUint32(i * 16 + 12, 0xffffffff, true);
    });
    this.metrics = this.#measureHeights();
  }

  /** The glyph of a code point in the character map, 0 when there is none. */
  glyphOf(codePoint: number): number {
    const isFound = this.#harfbuzz.call("hb_font_get_nominal_glyph", this.#font, codePoint, this.#scratch);
    return isFound === 0 ? 0 : this.#harfbuzz.view(this.#scratch, 4).getUint32(0, true);
  }

  /**
   * Whether the font draws a code point. An empty glyph counts only for characters that are invisible by definition.
   */
  has(codePoint: number): boolean {
    const glyph = this.glyphOf(codePoint);
    if (glyph === 0) return false;
    if (!this.#traits.shortGlyphs.has(glyph) || this.outline(glyph).extent !== null) return true;
    const character = String.fromCodePoint(codePoint);
    return isInvisibleCharacter(character) || MAY_BE_EMPTY.test(character);
  }

  /**
   * The code points that the font {@link has}, without duplicates: those of the character map and, below
   * `lookedUpBelow`, all others for which the shaper finds a glyph.
   */
  *codePoints(lookedUpBelow: number): Generator<number> {
    for (let codePoint = 0; codePoint < lookedUpBelow; codePoint += 1) {
      if (this.has(codePoint)) yield codePoint;
    }
    const hb = this.#harfbuzz;
    const named = hb.call("hb_set_create");
    hb.call("hb_face_collect_unicodes", hb.call("hb_font_get_face", this.#font), named);
    const list = hb.allocate(CODE_POINTS_AT_ONCE * 4);
    let after = lookedUpBelow - 1;
    for (let count = CODE_POINTS_AT_ONCE; count === CODE_POINTS_AT_ONCE; ) {
      count = hb.call("hb_set_next_many", named, after, list, CODE_POINTS_AT_ONCE);
      const view = hb.view(list, count * 4);
      const found = Array.from({ length: count }, (_, i) => view.getUint32(i * 4, true));
      for (const codePoint of found) if (this.has(codePoint)) yield codePoint;
      after = found.at(-1) ?? after;
    }
    hb.free(list);
    hb.call("hb_set_destroy", named);
  }

  /** Grants an instruction budget to this font, shared by its faces. */
  grant(instructions: number): void {
    this.#harfbuzz.grant(instructions);
  }

  /** Remaining instructions of the last grant; below zero once they are used up. */
  get left(): number {
    return this.#harfbuzz.left;
  }

  /** Charges work outside the shaper to the budget. Throws {@link ShaperFault} when it is used up. */
  spend(instructions: number): void {
    this.#harfbuzz.spend(instructions);
  }

  /**
   * Shapes one run, with the rest of the text as context. Glyphs are in visual order, left to right. `language`, a BCP
   * 47 tag, selects forms that differ between languages of one script.
   */
  shape(text: string, run: ScriptRun, isLoose: boolean, language?: string): ShapedGlyph[] {
    const hb = this.#harfbuzz;
    const units = new Uint8Array(text.length * 2);
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      units[i * 2] = unit & 255;
      units[i * 2 + 1] = unit >> 8;
    }
    const pointer = hb.allocate(units.length);
    hb.write(pointer, units);
    const buffer = hb.call("hb_buffer_create");
    hb.call("hb_buffer_add_utf16", buffer, pointer, text.length, run.start, run.end - run.start);
    hb.free(pointer);
    hb.call(
      "hb_buffer_set_direction",
      buffer,
      run.isRightToLeft ? DIRECTION.rightToLeft : DIRECTION.leftToRight,
    );
    hb.call("hb_buffer_set_script", buffer, tagOf(run.script));
    if (language !== undefined) hb.call("hb_buffer_set_language", buffer, this.#languageOf(language));
    const features = isLoose ? LOOSE_FEATURES.length : 0;
    hb.call("hb_shape", this.#font, buffer, this.#looseFeatures, features);
    const glyphs = this.#readGlyphs(buffer);
    hb.call("hb_buffer_destroy", buffer);
    return this.#traits.kerning.size === 0 ? glyphs : withKerning(glyphs, this.#traits.kerning);
  }

  /** The outline of a glyph; empty when it has none. Throws {@link ShaperFault} when it is out of bounds. */
  outline(glyph: number): Outline {
    const known = this.#outlines.get(glyph);
    if (known !== undefined) return known;
    const pen = new OutlinePen(this.unitsPerEm * TYPE_LIMITS.outlineReachEmMax);
    this.#harfbuzz.drawGlyph(this.#font, glyph, pen);
    const path = pen.finish();
    this.#harfbuzz.spend(path.points.length * TYPE_LIMITS.instructionsPerPoint);
    const extent = pathExtent(path);
    const outline = extent === null ? EMPTY : { path, extent };
    if (this.#outlines.size >= TYPE_LIMITS.outlinesCachedMax) this.#outlines = new Map();
    this.#outlines.set(glyph, outline);
    return outline;
  }

  /** Cached, because HarfBuzz allocates a language once and never frees it. */
  #languageOf(tag: string): number {
    const known = this.#languages.get(tag);
    if (known !== undefined) return known;
    const name = new TextEncoder().encode(tag);
    const pointer = this.#harfbuzz.allocate(name.length);
    this.#harfbuzz.write(pointer, name);
    const language = this.#harfbuzz.call("hb_language_from_string", pointer, name.length);
    this.#harfbuzz.free(pointer);
    this.#languages.set(tag, language);
    return language;
  }

  #readGlyphs(buffer: number): ShapedGlyph[] {
    const hb = this.#harfbuzz;
    const count = hb.call("hb_buffer_get_length", buffer);
    if (count > TYPE_LIMITS.glyphsPerLineMax) throw new ShaperFault("it makes too many glyphs of the text");
    hb.spend(count * TYPE_LIMITS.instructionsPerGlyph);
    const infoPointer = hb.call("hb_buffer_get_glyph_infos", buffer, 0);
    const positionPointer = hb.call("hb_buffer_get_glyph_positions", buffer, 0);
    if (count === 0) return [];
    const infos = hb.view(infoPointer, count * RECORD_BYTES);
    const positions = hb.view(positionPointer, count * RECORD_BYTES);
    const glyphs: ShapedGlyph[] = [];
    for (let at = 0; at < count * RECORD_BYTES; at += RECORD_BYTES) {
      glyphs.push({
        glyph: infos.getUint32(at, true),
        cluster: infos.getUint32(at + 8, true),
        advance: positions.getInt32(at, true),
        offsetX: positions.getInt32(at + 8, true),
        offsetY: -positions.getInt32(at + 12, true),
      });
    }
    return glyphs;
  }

  /** Heights as drawn: of the flat letters if the font has them, else common proportions. */
  #measureHeights(): VerticalMetrics {
    const heightOf = (letters: string, share: number): number => {
      for (const letter of letters) {
        const glyph = this.glyphOf(letter.codePointAt(0) ?? 0);
        const top = glyph === 0 ? 0 : -(this.outline(glyph).extent?.top ?? 0);
        if (top > 0) return top;
      }
      return this.unitsPerEm * share;
    };
    return { capHeight: heightOf("HEIН", 0.7), xHeight: heightOf("xzvх", 0.5) };
  }
}
