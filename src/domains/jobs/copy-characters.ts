import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { readAll } from "#platform/bytes/read-all.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import type { Renderer } from "#renderer/index.ts";
import { renditionCache } from "../assets/rendition-cache.ts";
import type { JobInput, PackCopy } from "./job.ts";

/** What reads the characters of fonts, and lends the memory to open one; 429 SERVICE_BUSY when too many wait for it. */
export interface CharacterCheck {
  readonly characters: Pick<Renderer, "indexCharacters" | "characterNeeds">;
  readonly withMemory: <T>(task: () => Promise<T>) => Promise<T | Refusal>;
}

/** Characters in a message beyond this add nothing for a reader. */
const CHARACTERS_SHOWN_MAX = 50;

/** Name of a font's character index beside its bytes. */
const INDEX_NAME = "characters";

const codePointOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

/**
 * Whether there is a font for every character of the copies. 422 COPY_UNSUPPORTED names those that neither the uploaded
 * font nor one behind it has in `details.characters`; copies that together take too many files of the library are refused
 * so, too. Without copy nothing is loaded; an uploaded font is opened once, and its index kept beside it.
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

/** The refusal of an uploaded font that cannot set the words. */
export const refuseFont = (message: string): Refusal =>
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

/** The font's character index: the one kept beside it, or made from its bytes and kept. */
async function indexOf(
  { bucket, characters, withMemory }: CharacterCheck & { readonly bucket: R2Bucket },
  font: JobInput,
): Promise<Outcome<Uint8Array>> {
  const kept = renditionCache(bucket, font);
  const [stored, found] = await Promise.all([bucket.head(font.objectKey), kept.find(INDEX_NAME)]);
  if (stored === null) return unavailable();
  if (found !== null) return accept(found);
  return withMemory(async () => {
    // Whoever had the memory before may have made it.
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
