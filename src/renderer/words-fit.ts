import type { LookId } from "../catalogue/looks.ts";
import type { Size } from "../catalogue/types.ts";
import { trimmedCopy } from "./compose/prepare-pack.ts";
import type { Engine } from "./engine.ts";
import { canvasOf, headlineFits, Typesetter } from "./layout/index.ts";
import { fontFilesOf, LOOKS, type Look } from "./look/index.ts";
import { textsOf } from "./type/copy-fonts.ts";
import { recordingFailure } from "./type/font-set.ts";
import { type FontSet, type FontSources, openFontSet, sampleOf, setTexts } from "./type/index.ts";
import { TYPE_LIMITS } from "./type/limits.ts";
import type { Copy, RenderFailure, Result } from "./types.ts";

/** Checks that the words of outputs fit, before a picture is opened or a credit is spent. */

export interface WordsRequest {
  /** OTF or TTF bytes; if null, all text is set in the fonts of the look. */
  readonly font: Uint8Array | null;
  /** Font for all text except headline and price, which are set in `font`. */
  readonly textFont?: Uint8Array | null;
  readonly look: LookId;
  readonly outputs: readonly { readonly size: Size; readonly copy: Copy }[];
}

/** An output whose headline cannot be set legibly. */
export interface WordsMisfit {
  readonly sizeId: string;
  /** The longest beginning of the headline that fits, cut between words where possible; empty if nothing fits. */
  readonly longest: string;
}

/**
 * Budget of an uploaded font for one request with any number of sizes and ad copies, in multiples of one output's
 * budget. It stops fonts that are made to be slow. In Latin typefaces, a headline in all sizes of the catalogue takes a
 * few hundredths of one output's budget. Each ad copy may use what earlier copies left of the budget.
 */
const UPLOADED_FONT_BUDGET_MAX = 2;

/**
 * The failure that every pack set in an uploaded font would have; null when the font can set a sample of its
 * characters.
 */
export async function findFontFailure(
  engine: Engine,
  sources: FontSources,
  font: Uint8Array,
): Promise<RenderFailure | null> {
  const fonts = await openFontSet(engine, sources, font);
  if (!fonts.ok) return fonts;
  const { value } = fonts;
  try {
    // As in a pack, character lookups count against the budget for opening the font.
    const sample = recordingFailure(value, () => sampleOf(value.face("regular")));
    value.grantOutput();
    setTexts(value, sample === null ? [] : [sample]);
    return value.failure;
  } finally {
    value.close();
  }
}

type Output = WordsRequest["outputs"][number];

/** The properties of a size that decide whether words fit. */
const canvasKeyOf = ({ width, height, safeArea }: Size): string => JSON.stringify([width, height, safeArea]);

/**
 * The outputs whose headline does not fit, in order. Tries only the arrangement with the most space for a headline,
 * without other text. A headline that fits there can always be drawn. With an uploaded font, sets the other text too,
 * only to detect a font that stops working. Fails with FONT_UNREADABLE when a font stops working; throws what the
 * library throws.
 */
export async function fitWords(
  engine: Engine,
  sources: FontSources,
  request: WordsRequest,
): Promise<Result<readonly WordsMisfit[]>> {
  const outputs = request.outputs.flatMap(({ size, copy }) => {
    const trimmed = trimmedCopy(copy);
    const isSet = request.font === null ? trimmed.headline !== undefined : textsOf(trimmed).length > 0;
    return isSet ? [{ size, copy: trimmed }] : [];
  });
  if (outputs.length === 0) return { ok: true, value: [] };
  const files = fontFilesOf(LOOKS[request.look]);
  const fonts = await openFontSet(engine, sources, request.font, files, request.textFont ?? null);
  if (!fonts.ok) return fonts;
  try {
    return await fitAll(outputs, LOOKS[request.look], fonts.value, request.font !== null);
  } finally {
    fonts.value.close();
  }
}

async function fitAll(
  outputs: readonly Output[],
  look: Look,
  fonts: FontSet,
  isUploaded: boolean,
): Promise<Result<readonly WordsMisfit[]>> {
  const ofCopy = new Map<string, Output[]>();
  for (const output of outputs) {
    const key = JSON.stringify(output.copy);
    ofCopy.set(key, [...(ofCopy.get(key) ?? []), output]);
  }
  let grants = isUploaded ? UPLOADED_FONT_BUDGET_MAX : Number.POSITIVE_INFINITY;
  /**
   * Runs a task with the remaining budget, at most that of one output. Returns the font's failure if a render would
   * have it too, otherwise null.
   */
  const failureOf = (words: Copy, isOneOutput: boolean, task: () => void): RenderFailure | null => {
    const share = Math.min(1, grants);
    fonts.grantOutput(words, share);
    task();
    const left = Math.min(fonts.face("regular").left, fonts.face("display").left);
    grants -= share - left / TYPE_LIMITS.settingInstructionsMax;
    return share === 1 && (isOneOutput || left >= 0) ? fonts.failure : null;
  };
  const longest = new Map<Output, string>();
  for (const same of ofCopy.values()) {
    const [{ copy } = { copy: {} }] = same;
    const { headline, language }: Copy = copy;
    // Opens only the fonts of the headline.
    const words: Copy = headline === undefined ? {} : { headline, language };
    await fonts.load(words);
    const failure = isUploaded ? failureOf(words, true, () => setTexts(fonts, textsOf(copy))) : null;
    const fitHeadline = (): void => {
      const typesetter = new Typesetter(fonts, look, language);
      const known = new Map<string, ReturnType<typeof headlineFits>>();
      for (const output of same) {
        if (headline === undefined || fonts.failure !== null) return;
        const key = canvasKeyOf(output.size);
        const fit = known.get(key) ?? headlineFits(canvasOf(output.size, look), typesetter, headline);
        if (fonts.failure !== null) return;
        known.set(key, fit);
        if (!fit.fits) longest.set(output, fit.longest);
      }
    };
    const certain = failure ?? failureOf(words, false, fitHeadline);
    if (certain !== null) return certain;
    // The budget is exhausted: only the render can tell whether the other headlines fit.
    if (fonts.failure !== null) break;
  }
  const misfits = outputs.flatMap((output) => {
    const fitting = longest.get(output);
    return fitting === undefined ? [] : [{ sizeId: output.size.sizeId, longest: fitting }];
  });
  return { ok: true, value: misfits };
}
