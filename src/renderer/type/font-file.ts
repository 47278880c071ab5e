import type { RenderFailure, Result } from "../types.ts";
import { FontFace, type FontTraits } from "./font-face.ts";
import { HarfBuzz, ShaperFault, type ShaperModules, tagOf } from "./harfbuzz.ts";
import { TYPE_LIMITS } from "./limits.ts";
import { type PairKerning, readPairKerning } from "./pair-kerning.ts";
import { shortGlyphs } from "./short-glyphs.ts";

/** A font file opened in its own instance of the shaper. */
export interface FontFile {
  readonly regular: FontFace;
  /** The same face when the file has one weight only. */
  readonly bold: FontFace;
  /** Whether the regular face is semibold or bolder, because the file has no lighter weight. */
  readonly isBold: boolean;
}

const REGULAR_WEIGHT = 400;
const BOLD_WEIGHT = 700;
/** A font whose lightest weight is at least this counts as bold, and fine print is set in the bundled font instead. */
const SEMIBOLD_WEIGHT = 600;
/** Weights on a `wght` axis, 1 to 1000, at which a typeface of the library is opened. */
export interface LibraryWeights {
  readonly regular: number;
  readonly bold: number;
}

/** Weights of the bundled fonts, Inter Medium and Bold. */
export const BUNDLED_WEIGHTS: LibraryWeights = { regular: 500, bold: 700 };
const UNITS_PER_EM = { least: 16, most: 16_384 } as const;
/** Traits of the library's typefaces, which kern by `GPOS` and have no empty letters. */
const NO_TRAITS: FontTraits = { kerning: new Map(), shortGlyphs: new Set() };
/** Characters drawn to test whether a font draws at all. */
const PROBED_CHARACTERS = 64;

/** Opens a TrueType or OpenType font. A `wght` axis, if any, provides the bold weight. Fails with FONT_UNREADABLE. */
export function openFontFile(modules: ShaperModules, bytes: Uint8Array): Result<FontFile> {
  if (bytes.length > TYPE_LIMITS.fontBytesMax) return unreadable("it is larger than 25 MB");
  try {
    const harfbuzz = new HarfBuzz(modules, TYPE_LIMITS.openingInstructionsMax);
    const face = faceOf(harfbuzz, bytes);
    const flaw = flawOf(harfbuzz, face);
    if (flaw !== null) return unreadable(flaw);
    const unitsPerEm = harfbuzz.call("hb_face_get_upem", face);
    const weights = weightAxis(harfbuzz, face);
    const traits: FontTraits = {
      kerning: kerningOf(harfbuzz, face),
      shortGlyphs: shortGlyphs((tag) => tableOf(harfbuzz, face, tag)),
    };
    const open = (weight: number): FontFace =>
      openFace(harfbuzz, face, unitsPerEm, weights === null ? null : weight, traits);
    const regular = open(
      weights === null ? 0 : Math.min(weights.most, Math.max(weights.least, REGULAR_WEIGHT)),
    );
    if (!drawsAnything(harfbuzz, face, regular)) return unreadable("none of its characters can be drawn");
    const bold = weights === null ? regular : open(Math.min(weights.most, BOLD_WEIGHT));
    // Reads `usWeightClass`; the table may be too short to have it.
    const os2 = tableOf(harfbuzz, face, "OS/2");
    const lightest = weights?.least ?? (os2.byteLength < 6 ? REGULAR_WEIGHT : os2.getUint16(4));
    return { ok: true, value: { regular, bold, isBold: lightest >= SEMIBOLD_WEIGHT } };
  } catch (error) {
    if (error instanceof ShaperFault) return unreadable("its tables are damaged");
    throw error;
  }
}

/**
 * Opens a variable font of the library at two weights, in an instance shared by the library's trusted fonts. Throws
 * {@link ShaperFault} when the instance's memory is used up.
 */
export function openLibraryFont(harfbuzz: HarfBuzz, bytes: Uint8Array, weights: LibraryWeights): FontFile {
  const face = faceOf(harfbuzz, bytes);
  const unitsPerEm = harfbuzz.call("hb_face_get_upem", face);
  const open = (weight: number): FontFace => openFace(harfbuzz, face, unitsPerEm, weight);
  return { regular: open(weights.regular), bold: open(weights.bold), isBold: false };
}

/** The font's bytes are copied into the shaper's memory and read in place. */
function faceOf(harfbuzz: HarfBuzz, bytes: Uint8Array): number {
  const pointer = harfbuzz.allocate(bytes.length);
  harfbuzz.write(pointer, bytes);
  return harfbuzz.call("hb_face_create", harfbuzz.call("hb_blob_create", pointer, bytes.length, 2, 0, 0), 0);
}

/** The failure of an unusable font. `reason` completes "because …". */
export function unreadable(reason: string): RenderFailure {
  const message = `The font cannot be used because ${reason}. Upload a TrueType or OpenType font with outlines.`;
  return { ok: false, code: "FONT_UNREADABLE", message };
}

function openFace(
  harfbuzz: HarfBuzz,
  face: number,
  unitsPerEm: number,
  weight: number | null,
  traits: FontTraits = NO_TRAITS,
): FontFace {
  const font = harfbuzz.call("hb_font_create", face);
  harfbuzz.call("hb_font_set_scale", font, unitsPerEm, unitsPerEm);
  if (weight !== null) {
    const variation = harfbuzz.allocate(8);
    const record = harfbuzz.view(variation, 8);
    record.setUint32(0, tagOf("wght"), true);
    record.setFloat32(4, weight, true);
    harfbuzz.call("hb_font_set_variations", font, variation, 1);
    harfbuzz.free(variation);
  }
  return new FontFace(harfbuzz, font, unitsPerEm, traits);
}

/** A table's bytes, valid until the next call; empty when the face has no such table. */
function tableOf(harfbuzz: HarfBuzz, face: number, tag: string): DataView {
  const blob = harfbuzz.call("hb_face_reference_table", face, tagOf(tag));
  const length = harfbuzz.call("hb_blob_get_length", blob);
  const view = harfbuzz.view(length === 0 ? 0 : harfbuzz.call("hb_blob_get_data", blob, 0), length);
  harfbuzz.call("hb_blob_destroy", blob);
  return view;
}

/** Pairs of the `kern` table; none for a font that kerns by `GPOS`, where the table serves only old programs. */
function kerningOf(harfbuzz: HarfBuzz, face: number): PairKerning {
  const gpos = tableOf(harfbuzz, face, "GPOS");
  const features = gpos.byteLength < 10 ? 0 : gpos.getUint16(6);
  const count = features === 0 || features + 2 > gpos.byteLength ? 0 : gpos.getUint16(features);
  for (let at = features + 2; at < features + 2 + count * 6 && at + 4 <= gpos.byteLength; at += 6) {
    if (gpos.getUint32(at) === tagOf("kern")) return new Map();
  }
  return readPairKerning(tableOf(harfbuzz, face, "kern"), (instructions) => harfbuzz.spend(instructions));
}

/** Why a face cannot set text; null when it can. */
function flawOf(harfbuzz: HarfBuzz, face: number): string | null {
  const table = (tag: string): DataView => tableOf(harfbuzz, face, tag);
  const head = table("head");
  if (head.byteLength < 54) return "it is not a font file, or it is cut short";
  const unitsPerEm = head.getUint16(18);
  if (unitsPerEm < UNITS_PER_EM.least || unitsPerEm > UNITS_PER_EM.most)
    return "its units per em are out of range";
  const maxp = table("maxp");
  if (maxp.byteLength < 6 || maxp.getUint16(4) === 0) return "it has no glyphs";
  const cmap = table("cmap");
  if (cmap.byteLength < 4) return "it maps no characters to glyphs";
  if (mappedCharacters(cmap) > TYPE_LIMITS.mappedCharactersMax) return "its character map repeats itself";
  if (table("hmtx").byteLength === 0) return "it has no glyph widths";
  const hasOutlines = ["glyf", "CFF ", "CFF2"].some((tag) => table(tag).byteLength > 0);
  return hasOutlines ? null : "it has no outlines (a bitmap font)";
}

/** The range of the weight axis, null when the font has none. */
function weightAxis(harfbuzz: HarfBuzz, face: number): { least: number; most: number } | null {
  const axesMax = 64;
  const recordBytes = 32;
  const count = harfbuzz.allocate(4);
  const axes = harfbuzz.allocate(axesMax * recordBytes);
  harfbuzz.view(count, 4).setUint32(0, axesMax, true);
  harfbuzz.call("hb_ot_var_get_axis_infos", face, 0, count, axes);
  const found = Math.min(axesMax, harfbuzz.view(count, 4).getUint32(0, true));
  const records = harfbuzz.view(axes, axesMax * recordBytes);
  let weights: { least: number; most: number } | null = null;
  for (let at = 0; at < found * recordBytes; at += recordBytes) {
    if (records.getUint32(at + 4, true) !== tagOf("wght")) continue;
    weights = { least: records.getFloat32(at + 16, true), most: records.getFloat32(at + 24, true) };
  }
  harfbuzz.free(axes);
  harfbuzz.free(count);
  return weights;
}

/** Whether one of the first mapped characters has an outline; blank fonts pass every other check. */
function drawsAnything(harfbuzz: HarfBuzz, face: number, font: FontFace): boolean {
  const probedMax = 512;
  const characters = harfbuzz.call("hb_set_create");
  harfbuzz.call("hb_face_collect_unicodes", face, characters);
  const list = harfbuzz.allocate(probedMax * 4);
  const count = harfbuzz.call("hb_set_next_many", characters, 0xffffffff, list, probedMax);
  const codePoints: number[] = [];
  const view = harfbuzz.view(list, probedMax * 4);
  for (let i = 0; i < count; i += 1) codePoints.push(view.getUint32(i * 4, true));
  harfbuzz.call("hb_set_destroy", characters);
  harfbuzz.free(list);
  const step = Math.max(1, Math.floor(codePoints.length / PROBED_CHARACTERS));
  return codePoints.some((codePoint, i) => {
    if (i % step !== 0) return false;
    const glyph = font.glyphOf(codePoint);
    return glyph !== 0 && font.outline(glyph).extent !== null;
  });
}

/** Maximum encoding records read. Fonts have about four. */
const TABLES_MAX = 64;

/**
 * Characters in the ranges of a `cmap` table, counted once per range (OpenType 1.9, formats 4, 12 and 13, the only ones
 * with ranges). The shaper walks through all of them, so overlapping ranges cost their sum.
 */
function mappedCharacters(cmap: DataView): number {
  const seen = new Set<number>();
  let named = 0;
  const count = cmap.byteLength < 4 ? 0 : Math.min(cmap.getUint16(2), TABLES_MAX);
  for (let at = 4; at + 8 <= cmap.byteLength && at < 4 + count * 8; at += 8) {
    const start = cmap.getUint32(at + 4);
    if (seen.has(start) || start + 16 > cmap.byteLength) continue;
    seen.add(start);
    const format = cmap.getUint16(start);
    if (format === 4) named += mappedBySegments(cmap, start);
    if (format === 12 || format === 13) named += mappedByGroups(cmap, start);
  }
  return named;
}

function mappedBySegments(cmap: DataView, start: number): number {
  const bytes = cmap.getUint16(start + 6) & ~1;
  let named = 0;
  for (let at = 0; at < bytes && start + 18 + bytes + at <= cmap.byteLength; at += 2) {
    const last = cmap.getUint16(start + 14 + at);
    const first = cmap.getUint16(start + 16 + bytes + at);
    named += Math.max(0, last - first + 1);
  }
  return named;
}

function mappedByGroups(cmap: DataView, start: number): number {
  const groups = cmap.getUint32(start + 12);
  let named = 0;
  for (let group = 0, at = start + 16; group < groups && at + 12 <= cmap.byteLength; group += 1, at += 12) {
    named += Math.max(0, cmap.getUint32(at + 4) - cmap.getUint32(at) + 1);
  }
  return named;
}
