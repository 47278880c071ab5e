import { fallbackFamilies } from "#renderer/fonts/fallback-index.ts";
import type { FontLibrary } from "#renderer/types.ts";

/** One character from each file of the library's Japanese typeface. */
export async function oneOfEachJapaneseFile(library: FontLibrary): Promise<readonly string[]> {
  const family = (await fallbackFamilies(library)).find(({ id }) => id === "noto-sans-jp");
  const characters = new Map<number, string>();
  for (let code = 0x4e00; code < 0x9fff; code += 1) {
    const file = family?.fileOf(code) ?? null;
    if (file !== null && !characters.has(file)) characters.set(file, String.fromCharCode(code));
  }
  return [...characters.values()];
}
