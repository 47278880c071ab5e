import { LRUCache } from "lru-cache";
import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { readAll } from "#platform/bytes/read-all.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import type { Copy, Renderer, Result, WordsMisfit, WordsRequest } from "#renderer/index.ts";
import { renditionCache } from "../assets/rendition-cache.ts";
import { NAMES_SHOWN_MAX } from "./format-names.ts";
import type { JobInput, JobPlan, PackCopy } from "./job.ts";
import { sizesOf } from "./pack-plan.ts";
import { designOf } from "./plan-design.ts";

/**
 * Reads the characters of fonts. `withMemory` runs the task that opens a font; 429 SERVICE_BUSY when too many wait for
 * memory.
 */
export interface CharacterCheck {
  readonly characters: Pick<Renderer, "indexCharacters" | "characterNeeds">;
  readonly withMemory: <T>(task: () => Promise<T>) => Promise<T | Refusal>;
}

/** Maximum number of characters that an error lists; a longer list would not help. */
const CHARACTERS_SHOWN_MAX = 50;

/** Name of a font's character index beside its bytes. */
const INDEX_NAME = "characters";

const codePointOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

/**
 * Checks that a font exists for every character of the texts. 422 COPY_UNSUPPORTED lists in `details.characters` those
 * that neither the uploaded font nor a fallback has. Texts that together need too many library files are refused with
 * the same code. Without texts nothing is loaded. An uploaded font is opened once; its index is stored beside it.
 */
export async function checkCopy(
  deps: CharacterCheck & { readonly bucket: R2Bucket },
  copies: readonly PackCopy[],
  font: JobInput | null,
): Promise<Outcome<void>> {
  if (copies.every((copy) => Object.keys(copy).length === 0)) return accept(undefined);
  const index = font === null ? accept(null) : await indexOf(deps, font);
  if (!index.ok) return index;
  const needs = await deps.characters.characterNeeds(index.value, copies);
  if (!needs.ok) return refuseFont(needs.message);
  const { missing, libraryFiles } = needs.value;
  if (missing.length === 0)
    return libraryFiles > LIMITS.libraryFontsMax ? tooManyFonts(libraryFiles) : accept(undefined);
  const characters = missing.slice(0, CHARACTERS_SHOWN_MAX);
  const named = characters.map((character) => `${character} (U+${codePointOf(character)})`).join(", ");
  return refuse("COPY_UNSUPPORTED", `No font has a glyph for ${named}.`, { characters });
}

/** Refuses an uploaded font that cannot set the words. */
const refuseFont = (message: string): Refusal =>
  refuse("COPY_UNSUPPORTED", message, {
    characters: [],
    nextAction: "Upload another font, or leave the font out.",
  });

const tooManyFonts = (libraryFiles: number): Refusal =>
  refuse(
    "COPY_UNSUPPORTED",
    `The words of all sizes together are set in ${libraryFiles} font files; a request takes ${LIMITS.libraryFontsMax}.`,
    {
      characters: [],
      nextAction:
        "Send fewer sizes with words of their own in a request, give them fewer rare characters, or upload a font that has them.",
    },
  );

/** The font's stored character index, or a new one, which is then stored. */
async function indexOf(
  { bucket, characters, withMemory }: CharacterCheck & { readonly bucket: R2Bucket },
  font: JobInput,
): Promise<Outcome<Uint8Array>> {
  const kept = renditionCache(bucket, font);
  const [stored, found] = await Promise.all([bucket.head(font.objectKey), kept.find(INDEX_NAME)]);
  if (stored === null) return unavailable();
  if (found !== null) return accept(found);
  return withMemory(async () => {
    // An earlier request that waited for memory may have stored it.
    const made = await kept.find(INDEX_NAME);
    if (made !== null) return accept(made);
    const object = await bucket.get(font.objectKey);
    if (object === null) return unavailable();
    const bytes = await readAll(object.body, object.size);
    if ((await sha256Hex(bytes)) !== font.sha256) return unavailable();
    const index = characters.indexCharacters(bytes);
    await kept.keep(INDEX_NAME, { byteLength: index.byteLength, chunks: () => [index] });
    return accept(index);
  });
}

const unavailable = (): Refusal =>
  refuse("COPY_UNSUPPORTED", "The uploaded font's file is no longer kept.", {
    characters: [],
    nextAction: "Upload the font again and use its new asset id.",
  });

/**
 * Sets the words of sizes without drawing them. `withMemory` runs the task that opens fonts; 429 SERVICE_BUSY when too
 * many wait.
 */
export interface FitCheck {
  readonly words: Pick<Renderer, "fitWords">;
  readonly withMemory: <T>(task: () => Promise<T>) => Promise<T | Refusal>;
  /** Like `withMemory`, for bundled fonts and uploaded ones of a few megabytes. */
  readonly withSmallMemory: <T>(task: () => Promise<T>) => Promise<T | Refusal>;
}

type Deps = FitCheck & { readonly bucket: R2Bucket };

/**
 * Larger fonts are opened with `withMemory`, because an open font needs three times its file size in memory. Most web
 * fonts are smaller.
 */
const SMALL_FONT_BYTES_MAX = 3 * 1024 * 1024;

/** Whether the words fit their sizes. Cached, because clients repeat the same fonts and words. */
type Verdict = Outcome<void>;

const LEFT_TO_RENDERING: Outcome<Verdict> = accept(accept(undefined));
/** 200 entries of at most 10 KB each. */
const verdicts = new LRUCache<string, Verdict>({ max: 200 });

/**
 * Checks that the headline of each size of a plan can be set legibly. 422 COPY_DOES_NOT_FIT lists the sizes in
 * `details.misfits`, each with the longest beginning that fits. With an uploaded font, the other words are set too; 422
 * COPY_UNSUPPORTED when the font cannot set them. No pixel is drawn; see the README for CPU times.
 */
export async function checkFit(
  deps: Deps,
  plan: JobPlan,
  font: JobInput | null,
  textFont: JobInput | null = null,
): Promise<Outcome<void>> {
  const outputs = sizesOf(plan).flatMap((size) => {
    // Only the words on which the result depends, so that plans whose remaining words differ share a cache key.
    const { copy } = designOf(plan, size.sizeId);
    const { headline, language, ...others } = copy;
    const isSet = headline !== undefined || (font !== null && Object.keys(others).length > 0);
    const words: Copy = font === null ? { headline, language } : copy;
    return isSet ? [{ size, copy: words }] : [];
  });
  if (outputs.length === 0) return accept(undefined);
  const wordsBySize = outputs.map(({ size, copy }) => [size.sizeId, copy]);
  const key = await sha256Hex(
    JSON.stringify([font?.sha256, textFont?.sha256, plan.look, plan.contractId, wordsBySize]),
  );
  let verdict = verdicts.get(key);
  if (verdict === undefined) {
    const fonts = [font, textFont].flatMap((input) => input ?? []);
    const found = await findMisfits(deps, { look: plan.look, outputs }, fonts);
    if (!found.ok) return found;
    verdict = found.value;
    verdicts.set(key, verdict);
  }
  return verdict;
}

/** `fonts` is empty, one font for all words, or the headline's font and the text's. */
async function findMisfits(
  { bucket, words, withMemory, withSmallMemory }: Deps,
  request: Omit<WordsRequest, "font" | "textFont">,
  fonts: readonly JobInput[],
): Promise<Outcome<Verdict>> {
  const fit = async (bytesMax: number): Promise<Outcome<Verdict> | "too large"> => {
    const opened: Uint8Array[] = [];
    let left = bytesMax;
    for (const font of fonts) {
      const object = await bucket.get(font.objectKey);
      // Rendering detects a missing or altered file again, and refunds the job.
      if (object === null) return LEFT_TO_RENDERING;
      left -= object.size;
      if (left < 0) {
        await object.body.cancel();
        return "too large";
      }
      const bytes = await readAll(object.body, object.size);
      if ((await sha256Hex(bytes)) !== font.sha256) return LEFT_TO_RENDERING;
      opened.push(bytes);
    }
    const [font = null, textFont = null] = opened;
    return verdictOf(await words.fitWords({ ...request, font, textFont }));
  };
  const small = await withSmallMemory(() => fit(SMALL_FONT_BYTES_MAX));
  if (small !== "too large") return small;
  const large = await withMemory(() => fit(Number.POSITIVE_INFINITY));
  return large === "too large" ? LEFT_TO_RENDERING : large;
}

function verdictOf(found: Result<readonly WordsMisfit[]>): Outcome<Verdict> {
  if (!found.ok) return accept(refuseFont(found.message));
  return accept(found.value.length === 0 ? accept(undefined) : refuseMisfits(found.value));
}

function refuseMisfits(found: readonly WordsMisfit[]): Refusal {
  const misfits = found.map(({ sizeId, longest }) => ({
    sizeId,
    charactersMax: [...longest].length,
    longest,
  }));
  const shown = misfits
    .slice(0, NAMES_SHOWN_MAX)
    .map(({ sizeId, charactersMax, longest }) =>
      longest === ""
        ? `\`${sizeId}\` (no part of it)`
        : `\`${sizeId}\` (at most “${longest}”, ${charactersMax} characters)`,
    );
  const more = misfits.length > shown.length ? ` and ${misfits.length - shown.length} more` : "";
  return refuse("COPY_DOES_NOT_FIT", `The headline cannot be set legibly in ${shown.join(", ")}${more}.`, {
    misfits,
  });
}
