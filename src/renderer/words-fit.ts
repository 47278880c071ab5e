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

/** Whether the words of outputs can be set, before a picture is opened or anything is paid. */

export interface WordsRequest {
  /** OTF or TTF bytes; null sets all text in the fonts of the look. */
  readonly font: Uint8Array | null;
  /** Sets everything but headline and price, which `font` sets then. */
  readonly textFont?: Uint8Array | null;
  readonly look: LookId;
  readonly outputs: readonly { readonly size: Size; readonly copy: Copy }[];
}

/** An output whose headline cannot be set legibly. */
export interface WordsMisfit {
  readonly sizeId: string;
  /** The longest beginning of the headline that can, cut between words where possible; empty for none. */
  readonly longest: string;
}

/**
 * How often the work of setting an output is granted to an uploaded font for one request, whatever the number of sizes and
 * copies. A headline in all sizes of the catalogue takes a few hundredths of a grant in Latin typefaces; a font that is
 * made to be dear takes no more than this. A copy gets what is left of it.
 */
const UPLOADED_GRANTS_MAX = 2;

/** The failure with which every pack set in an uploaded font would end; null when it sets some of its characters. */
export async function findFontFailure(
  engine: Engine,
  sources: FontSources,
  font: Uint8Array,
): Promise<RenderFailure | null> {
  const fonts = await openFontSet(engine, sources, font);
  if (!fonts.ok) return fonts;
  const { value } = fonts;
  try {
    // As for a pack, characters are looked up within what was granted to open the font.
    const sample = recordingFailure(value, () => sampleOf(value.face("regular")));
    value.grantOutput();
    setTexts(value, sample === null ? [] : [sample]);
    return value.failure;
  } finally {
    value.close();
  }
}

type Output = WordsRequest["outputs"][number];

/** What the verdict on an output depends on, beside fonts, look and words. */
const canvasKeyOf = ({ width, height, safeArea }: Size): string => JSON.stringify([width, height, safeArea]);

/**
 * The outputs whose headline does not fit, in their order. Every other arrangement leaves a headline less space than the
 * one that is tried here, and all other words are left out where they do not fit: what passes is drawn. An uploaded font
 * sets the other words too. Fails with FONT_UNREADABLE where a font stops working; throws what the library throws.
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
  let grants = isUploaded ? UPLOADED_GRANTS_MAX : Number.POSITIVE_INFINITY;
  /** Sets words with what is left of the grants, up to one output's. Returns a failure that no larger grant would avoid. */
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
    // Only what the headline is set with is opened.
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
    // Otherwise the rendering decides.
    if (fonts.failure !== null) break;
  }
  const misfits = outputs.flatMap((output) => {
    const fitting = longest.get(output);
    return fitting === undefined ? [] : [{ sizeId: output.size.sizeId, longest: fitting }];
  });
  return { ok: true, value: misfits };
}
