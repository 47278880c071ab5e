/** What a check of the engine found or asks for, taken apart so that it can be said in the person's language. */
interface Measure {
  readonly kind: MeasureKind;
  /** The figures in it, or the elements that it names. */
  readonly parts: readonly string[];
}

/** As `src/renderer/compliance.ts` writes them. */
const FORMS = {
  pixels: /^(\d+)x(\d+)$/,
  bytes: /^(\d+) bytes$/,
  bytesMax: /^at most (\d+) bytes$/,
  duration: /^(\d+(?:\.\d+)?) ms in all$/,
  durationMax: /^at most (\d+) ms$/,
  rate: /^(\d+\.\d+) a second$/,
  rateMax: /^at most (\d+(?:\.\d+)?) a second$/,
  loopsMax: /^at most (\d+), then still$/,
  most: /^at most (\d+)$/,
  free: /^free$/,
  covered: /^covered by (.+)$/,
  safeArea: /^free: top (\d+), right (\d+), bottom (\d+), left (\d+) px$/,
} as const;
type MeasureKind = keyof typeof FORMS;

/** Null of what needs no translation, as a format or a number, and of what this page does not know. */
export function readMeasure(text: string): Measure | null {
  let kind: MeasureKind;
  for (kind in FORMS) {
    const found = FORMS[kind].exec(text);
    if (found !== null) return { kind, parts: found.slice(1).flatMap((part) => part.split(", ")) };
  }
  return null;
}
