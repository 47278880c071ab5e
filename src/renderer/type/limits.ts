/** Limits of this module: fonts and copy are untrusted. */
export const TYPE_LIMITS = {
  /** The largest upload. Large Chinese fonts have nearly as many bytes. */
  fontBytesMax: 26_214_400,
  /** The shaper's whole memory. A font's tables are read in place, so twice the largest font is enough. */
  shaperBytesMax: 64 * 1024 * 1024,
  /**
   * Budget to open a font, in instructions of the shaper. A function is charged for all of its instructions on entry
   * (`scripts/make/shaper/metered.ts`), so the count is too high: about 5 to 10 per nanosecond. Noto Sans JP, 5.5 MB of
   * 18,000 glyphs, takes 4 million; a character map of all of Unicode 200 million.
   */
  openingInstructionsMax: 500_000_000,
  /**
   * Budget to set all text of one output, in the same instructions. The longest copy takes 20 to 50 million in Latin
   * typefaces, 100 million in Noto Sans Devanagari and, fully vowelled, 450 million in Noto Nastaliq Urdu, the most
   * costly typeface measured.
   */
  settingInstructionsMax: 1_500_000_000,
  /** Instructions charged for work on a glyph in JavaScript, each time it is shaped or placed. */
  instructionsPerGlyph: 500,
  /** Instructions charged for work on a point of an outline in JavaScript. */
  instructionsPerPoint: 300,
  /** Instructions charged for comparing a glyph with a glyph of the line above, and for reading a kerning pair. */
  instructionsPerPair: 50,
  /**
   * Maximum number of library files, of 20 to 420 KB each, for one copy. Advertisements need up to 12; 96 files of the
   * Japanese typeface need 9 MB of the shaper's memory.
   */
  fallbackFilesMax: 96,
  /** Pairs read from a `kern` table, which take 4 MB of memory. Fonts have some thousands. */
  kernedPairsMax: 65_536,
  /** Characters in a font's map, each counted as often as it is listed: enough for all of Unicode four times. */
  mappedCharactersMax: 4 * 0x11_0000,
  /**
   * Maximum UTF-16 units of a text. The longest copy field is 200 characters; a character may be two units and have
   * marks.
   */
  textLengthMax: 2_000,
  /** Glyphs of one line. A substitution may turn one character into many. */
  glyphsPerLineMax: 4_000,
  /** Points of one glyph's outline. Detailed display faces stay under 5,000. */
  outlinePointsMax: 20_000,
  /** Points of all outlines of one text, each counted as often as it is drawn. */
  textPointsMax: 300_000,
  /** Farthest that a glyph may reach from its origin, in ems. Long Arabic and script swashes stay under 10. */
  outlineReachEmMax: 30,
  /** Shaped paragraphs cached per face; a full cache is cleared. */
  paragraphsCachedMax: 64,
  /** Shaped lines cached per paragraph; a full cache is cleared. */
  linesCachedMax: 400,
  /** Outlines cached per face; a full cache is cleared. */
  outlinesCachedMax: 2_000,
  /** Maximum number of lines of a request. */
  linesMax: 40,
  /** Largest type size of a request, in pixels. */
  fontSizePxMax: 2_000,
} as const;
