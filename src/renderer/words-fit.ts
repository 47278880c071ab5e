import type { LookId } from "../catalogue/looks.ts";
import type { Size } from "../catalogue/types.ts";
import { trimmedCopy } from "./compose/prepare-pack.ts";
import type { Engine } from "./engine.ts";
import { canvasOf, headlineFits, Typesetter } from "./layout/index.ts";
import { fontFilesOf } from "./look/font-files.ts";
import { LOOKS, type Look } from "./look/index.ts";
import { type FontSet, type FontSources, openFontSet } from "./type/index.ts";
import type { Copy, Result } from "./types.ts";

/** Whether the words of outputs can be set, before a picture is opened or anything is paid. */

export interface WordsRequest {
  /** OTF or TTF bytes; null sets all text in the fonts of the look. */
  readonly font: Uint8Array | null;
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
 * made to be dear takes no more than this.
 */
const UPLOADED_GRANTS_MAX = 2;

type Output = WordsRequest["outputs"][number];

/** What the verdict on an output depends on, beside fonts, look and words. */
const canvasKeyOf = ({ width, height, safeArea }: Size): string => JSON.stringify([width, height, safeArea]);

/**
 * The outputs whose headline does not fit, in their order. Every other arrangement leaves a headline less space than the
 * one that is tried here, and all other words are left out where they do not fit: what passes is drawn. Fails with
 * FONT_UNREADABLE where a font stops working; throws what the library throws.
 */
export async function fitWords(
  engine: Engine,
  sources: FontSources,
  request: WordsRequest,
): Promise<Result<readonly WordsMisfit[]>> {
  const outputs = request.outputs.flatMap(({ size, copy }) => {
    const trimmed = trimmedCopy(copy);
    return trimmed.headline === undefined ? [] : [{ size, copy: trimmed }];
  });
  if (outputs.length === 0) return { ok: true, value: [] };
  const files = fontFilesOf(LOOKS[request.look]);
  const fonts = await openFontSet(engine, sources, request.font, files);
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
  const share = isUploaded ? UPLOADED_GRANTS_MAX / ofCopy.size : 1;
  const longest = new Map<Output, string>();
  for (const same of ofCopy.values()) {
    const [{ copy } = { copy: {} }] = same;
    const { headline, language }: Copy = copy;
    if (headline === undefined) continue;
    // Only what the headline is set with is opened.
    const words: Copy = { headline, language };
    await fonts.load(words);
    fonts.grantOutput(words, Math.min(1, share));
    const typesetter = new Typesetter(fonts, look, language);
    const known = new Map<string, ReturnType<typeof headlineFits>>();
    for (const output of same) {
      const key = canvasKeyOf(output.size);
      const fit = known.get(key) ?? headlineFits(canvasOf(output.size, look), typesetter, headline);
      if (fonts.failure !== null) return fonts.failure;
      known.set(key, fit);
      if (!fit.fits) longest.set(output, fit.longest);
    }
  }
  const misfits = outputs.flatMap((output) => {
    const fitting = longest.get(output);
    return fitting === undefined ? [] : [{ sizeId: output.size.sizeId, longest: fitting }];
  });
  return { ok: true, value: misfits };
}
