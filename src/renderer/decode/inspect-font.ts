import type { FontType } from "../types.ts";
import { type Inspection, rejected } from "./inspection.ts";

const TABLES_MAX = 256;
const TABLE_RECORD_BYTES = 16;
const HEADER_BYTES = 12;

/**
 * Maximum subtables of GSUB and GPOS. Noto Nastaliq Urdu, in which a letter's shape depends on its neighbours, has
 * 2,544, Noto Sans Devanagari 531, Latin typefaces fewer than 300. The budget for setting text also bounds their cost.
 */
const LAYOUT_SUBTABLES_MAX = 10_000;

const LOOKUP_LIST_OFFSET_AT = 8;
const LOOKUP_HEADER_BYTES = 6;

/** Tables that setting text requires (OpenType 1.9, "Required tables"). */
const REQUIRED = ["cmap", "head", "hhea", "hmtx", "maxp"];

const VERSIONS: Readonly<Record<number, FontType>> = {
  65536: "font/ttf",
  // "true", Apple's tag for the same format.
  1953658213: "font/ttf",
  // "OTTO"
  1330926671: "font/otf",
};

/** Reads the table directory of an OpenType or TrueType font. Checks that every table lies inside the file. */
export function inspectFont(bytes: Uint8Array, declared: FontType): Inspection {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES) return rejected("NOT_WHAT_IT_CLAIMS", "The file is not a font.");
  const mark = String.fromCharCode(...bytes.subarray(0, 4));
  if (mark === "ttcf") return collection(view.getUint32(8));
  if (mark === "typ1") {
    return rejected(
      "UNSUPPORTED",
      "The file is a PostScript font in an old wrapper. Upload a single font as OTF or TTF.",
    );
  }
  const found = VERSIONS[view.getUint32(0)];
  if (found === undefined) return rejected("NOT_WHAT_IT_CLAIMS", "The file is not a font.");

  const count = view.getUint16(4);
  if (count === 0 || count > TABLES_MAX)
    return rejected("UNSUPPORTED", "The font has an impossible number of tables.");
  if (HEADER_BYTES + count * TABLE_RECORD_BYTES > bytes.length) return truncated();
  const tables = new Map<string, { readonly offset: number; readonly length: number }>();
  for (let index = 0; index < count; index++) {
    const at = HEADER_BYTES + index * TABLE_RECORD_BYTES;
    const offset = view.getUint32(at + 8);
    const length = view.getUint32(at + 12);
    if (offset + length > bytes.length) return truncated();
    tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), { offset, length });
  }
  const missing = REQUIRED.find((tag) => (tables.get(tag)?.length ?? 0) === 0);
  if (missing !== undefined)
    return rejected("UNSUPPORTED", `The font lacks its "${missing}" table. Export it again.`);
  const hasTrueTypeOutlines = tables.has("glyf") && tables.has("loca");
  const hasPostScriptOutlines = tables.has("CFF ") || tables.has("CFF2");
  if (!hasTrueTypeOutlines && !hasPostScriptOutlines) {
    return rejected("UNSUPPORTED", "The font has no outlines. Bitmap and emoji fonts cannot set text.");
  }
  if (declared !== found && !isSameFamily(declared, hasTrueTypeOutlines)) {
    return rejected("NOT_WHAT_IT_CLAIMS", `The file is ${found}, not ${declared}.`);
  }
  const subtables = ["GSUB", "GPOS"].reduce((sum, tag) => {
    const table = tables.get(tag);
    return table === undefined
      ? sum
      : sum + subtablesOf(new DataView(bytes.buffer, bytes.byteOffset + table.offset, table.length));
  }, 0);
  if (subtables > LAYOUT_SUBTABLES_MAX) {
    return rejected(
      "UNSUPPORTED",
      `The font has ${subtables} layout subtables; at most ${LAYOUT_SUBTABLES_MAX} are taken. ` +
        "Export it again with fewer contextual alternates, or upload another font.",
    );
  }
  const maxp = tables.get("maxp");
  const glyphs = maxp !== undefined && maxp.length >= 6 ? view.getUint16(maxp.offset + 4) : 0;
  if (glyphs === 0) return rejected("UNSUPPORTED", "The font has no glyphs.");
  return { ok: true, value: { kind: "font", mimeType: declared, glyphs } };
}

/** A `.ttc` file has several fonts, and nothing specifies which one is meant. */
function collection(fonts: number): Inspection {
  return rejected(
    "UNSUPPORTED",
    `The file is a font collection (TTC) of ${fonts} ${fonts === 1 ? "font" : "fonts"}. Extract the one font that is to ` +
      "set the text, for instance with a font editor, and upload it as OTF or TTF.",
  );
}

/** TrueType outlines are OpenType too and are often served as `font/otf`; PostScript outlines are never `font/ttf`. */
function isSameFamily(declared: FontType, hasTrueTypeOutlines: boolean): boolean {
  return declared === "font/otf" && hasTrueTypeOutlines;
}

function truncated(): Inspection {
  return rejected("TRUNCATED", "The font ends before its last table. Upload the whole file again.");
}

/**
 * Number of subtables of all lookups of a `GSUB` or `GPOS` table (OpenType 1.9, "Lookup list table"), because the
 * shaper may try all of them at every letter. A subtable that several lookups share counts for each of them. 0 if the
 * table is too short for a lookup list.
 */
function subtablesOf(table: DataView): number {
  if (table.byteLength < LOOKUP_LIST_OFFSET_AT + 2) return 0;
  const list = table.getUint16(LOOKUP_LIST_OFFSET_AT);
  if (list === 0 || list + 2 > table.byteLength) return 0;
  const lookups = table.getUint16(list);
  let subtables = 0;
  for (let at = list + 2; at < list + 2 + lookups * 2 && at + 2 <= table.byteLength; at += 2) {
    const lookup = list + table.getUint16(at);
    if (lookup + LOOKUP_HEADER_BYTES <= table.byteLength) subtables += table.getUint16(lookup + 4);
  }
  return subtables;
}
