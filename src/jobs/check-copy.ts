import { accept, type Outcome, refuse } from "../contract/errors.ts";
import type { Result } from "../renderer/types.ts";
import type { JobInput, PackCopy } from "./job.ts";

/** Characters of the copy that a font (null: the bundled one) cannot set; refused when it cannot be read. */
export type CharacterCheck = (font: Uint8Array | null, copy: PackCopy) => Promise<Result<readonly string[]>>;

/** Characters in a message beyond this add nothing for a reader. */
const CHARACTERS_SHOWN_MAX = 50;

const codePointOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

/**
 * Whether the font has every character of the copy. 422 COPY_UNSUPPORTED names those it lacks in
 * `details.characters`. Without copy nothing is loaded.
 */
export async function checkCopy(
  deps: { readonly bucket: R2Bucket; readonly findMissingCharacters: CharacterCheck },
  copy: PackCopy,
  font: JobInput | null,
): Promise<Outcome<void>> {
  if (Object.keys(copy).length === 0) return accept(undefined);
  const object = font === null ? null : await deps.bucket.get(font.objectKey);
  if (font !== null && object === null) {
    return refuse("COPY_UNSUPPORTED", "The uploaded font's file is no longer kept.", {
      characters: [],
      nextAction: "Upload the font again and use its new asset id.",
    });
  }
  const missing = await deps.findMissingCharacters(object === null ? null : await object.bytes(), copy);
  if (!missing.ok) {
    return refuse("COPY_UNSUPPORTED", missing.message, {
      characters: [],
      nextAction: "Upload another font, or leave the font out.",
    });
  }
  if (missing.value.length === 0) return accept(undefined);
  const characters = missing.value.slice(0, CHARACTERS_SHOWN_MAX);
  const named = characters.map((character) => `${character} (U+${codePointOf(character)})`).join(", ");
  return refuse("COPY_UNSUPPORTED", `The font has no glyph for ${named}.`, { characters });
}
