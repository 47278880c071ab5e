import { expect, it } from "vitest";
import { readFallbackIndex } from "#renderer/fonts/fallback-index.ts";
import { FontLibraryFault, loadLibraryFile } from "#renderer/fonts/library-file.ts";
import { FALLBACK_INDEX } from "#renderer/fonts/library-files.ts";
import { fontLibrary } from "../support/node-modules.ts";

it("names a file for a character, and the file has the index's hash", async () => {
  const families = readFallbackIndex(await loadLibraryFile(fontLibrary, FALLBACK_INDEX));
  const familyOf = (id: string) => families.find((family) => family.id === id);
  for (const [id, character] of [
    ["noto-sans-arabic", "ع"],
    ["noto-sans-hebrew", "ש"],
    ["noto-sans-devanagari", "क"],
    ["noto-sans-thai", "ก"],
    ["noto-sans-jp", "働"],
    ["noto-sans-kr", "한"],
    ["noto-sans-sc", "优"],
    ["noto-sans-tc", "優"],
    ["noto-emoji", "🎉"],
  ] as const) {
    const family = familyOf(id);
    const file = family?.files[family.fileOf(character.codePointAt(0) ?? 0) ?? -1];
    if (file === undefined) throw new Error(`${id} lacks ${character}`);
    expect((await loadLibraryFile(fontLibrary, file)).length).toBeGreaterThan(1_000);
  }
  expect(familyOf("noto-sans-jp")?.fileOf(0x1780)).toBeNull();
});

it("rejects a file whose bytes are not those of its version", async () => {
  const other = { load: async () => new Uint8Array([1, 2, 3]) };
  await expect(loadLibraryFile(other, FALLBACK_INDEX)).rejects.toThrow("other bytes for fallback-index.bin");
});

it("throws a distinguishable error when the library is unavailable", async () => {
  const away = { load: () => Promise.reject(new Error("404")) };
  await expect(loadLibraryFile(away, FALLBACK_INDEX)).rejects.toBeInstanceOf(FontLibraryFault);
});
