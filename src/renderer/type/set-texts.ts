import { fitText } from "./fit-text.ts";
import type { FontFace } from "./font-face.ts";
import type { FontSet } from "./font-set.ts";
import { TYPE_LIMITS } from "./limits.ts";

/** A box large enough for any copy field, at a single size, so that no search is needed. */
const ROOM = {
  widthPx: 4_000,
  heightPx: 4_000,
  fontSizePxMax: 20,
  fontSizePxMin: 20,
  linesMax: TYPE_LIMITS.linesMax,
  lineHeight: 1.2,
  align: "start",
} as const;

/** Sets texts in both weights, to detect a font that stops working: then `fonts.failure` has the reason. */
export function setTexts(fonts: FontSet, texts: readonly string[]): void {
  for (const text of texts) {
    for (const weight of ["regular", "bold"] as const) fitText(fonts, { ...ROOM, text, weight });
  }
}

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", (letter) =>
  letter.charCodeAt(0),
);
/** Sampling interval: every fourth of the first characters that a font maps. */
const STEP = 4;
const MAPPED_MAX = 384;

/**
 * A sample text for a font: Latin letters, which most copy needs, and some of the first characters that the font maps.
 */
export function sampleOf(face: FontFace): string {
  const sample = LETTERS.filter((codePoint) => face.has(codePoint));
  let mapped = 0;
  for (const codePoint of face.codePoints(0)) {
    if (mapped % STEP === 0) sample.push(codePoint);
    mapped += 1;
    if (mapped === MAPPED_MAX) break;
  }
  return String.fromCodePoint(...sample);
}
