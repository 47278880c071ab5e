/// <reference path="./wawoff2.d.ts" />
/**
 * Builds the committed fonts, and the renderer's data about the font library: npm run fonts
 *
 * - src/renderer/fonts/*.ttf: Inter Medium for text and Inter Display Bold for headlines and buttons, subset to Latin,
 *   Greek, Cyrillic and the signs of advertising text, without hinting and optional styles.
 * - studio/src/inter-variable.woff2: Inter for the Studio's pages, subset to Latin, with tabular figures.
 * - src/renderer/fonts/fallback-index.bin: the characters of each file in the font library.
 * - src/renderer/fonts/library-files.ts: names and hashes of the library's files.
 * - samples/fonts: an uploadable display face and an Arabic one, as published.
 *
 * Sources and their licences (SIL Open Font License 1.1) are pinned devDependencies. `--check` changes nothing and
 * fails if the index or the hashes differ from the packages.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import wawoff2 from "wawoff2";
import { readCheckOption } from "../local/check-option.ts";
import { Failure, runScript } from "../local/failure.ts";
import { inRoot } from "../local/paths.ts";
import { PAGE_CHARACTERS } from "./fonts/copy-characters.ts";
import { makeFallbackIndex } from "./fonts/fallback-index.ts";
import { readFallbackFamilies } from "./fonts/fallback-sources.ts";
import { libraryFilesSource } from "./fonts/library-files-source.ts";
import { INDEX_PATH } from "./fonts/make-library.ts";
import { subsetForCopy } from "./fonts/subset.ts";

const FONTS = "src/renderer/fonts";
const SAMPLES = "samples/fonts";
const packaged = (path: string): string => inRoot(`node_modules/${path}`);

async function makeBundledFonts(): Promise<void> {
  for (const [source, name] of [
    ["inter-ui/web/Inter-Medium.woff2", "inter-medium.ttf"],
    ["inter-ui/display/InterDisplay-Bold.woff2", "inter-display-bold.ttf"],
  ] as const) {
    const font = subsetForCopy(Uint8Array.from(await wawoff2.decompress(readFileSync(packaged(source)))));
    writeFileSync(inRoot(`${FONTS}/${name}`), font);
    console.log(`${name}: ${font.length} bytes, ${gzipSync(font, { level: 9 }).length} gzipped`);
  }
  const variable = await wawoff2.decompress(
    readFileSync(packaged("inter-ui/variable-latin/InterVariable-subset.woff2")),
  );
  const own = { characters: PAGE_CHARACTERS, features: ["tnum"] };
  const page = await wawoff2.compress(subsetForCopy(Uint8Array.from(variable), { opsz: 14 }, own));
  writeFileSync(inRoot("studio/src/inter-variable.woff2"), page);
  copyFileSync(packaged("inter-ui/LICENSE.txt"), inRoot(`${FONTS}/OFL.txt`));
}

function copySamples(): void {
  mkdirSync(inRoot(SAMPLES), { recursive: true });
  for (const [source, name] of [
    [
      "bricolage-grotesque/800ExtraBold/BricolageGrotesque_800ExtraBold.ttf",
      "bricolage-grotesque-extrabold.ttf",
    ],
    ["bricolage-grotesque/LICENSE_FONT", "bricolage-grotesque-OFL.txt"],
    ["tajawal/700Bold/Tajawal_700Bold.ttf", "tajawal-bold.ttf"],
    ["tajawal/LICENSE_FONT", "tajawal-OFL.txt"],
  ] as const) {
    copyFileSync(packaged(`@expo-google-fonts/${source}`), inRoot(`${SAMPLES}/${name}`));
  }
}

/** Generated files about the library, by path. */
async function describeLibrary(): Promise<ReadonlyMap<string, Uint8Array>> {
  const index = await makeFallbackIndex(readFallbackFamilies());
  const source = new TextEncoder().encode(await libraryFilesSource(index));
  return new Map([
    [INDEX_PATH, index],
    [`${FONTS}/library-files.ts`, source],
  ]);
}

await runScript(async () => {
  const described = await describeLibrary();
  if (readCheckOption()) {
    const stale = [...described].filter(
      ([path, bytes]) => Buffer.compare(readFileSync(inRoot(path)), bytes) !== 0,
    );
    if (stale.length > 0) {
      throw new Failure(`Out of date: ${stale.map(([path]) => path).join(", ")}. Run: npm run fonts`);
    }
    return;
  }
  for (const [path, bytes] of described) writeFileSync(inRoot(path), bytes);
  await makeBundledFonts();
  copySamples();
});
