/// <reference path="./wawoff2.d.ts" />
/**
 * Makes the fonts the service carries. Run: npx node scripts/make-fonts.ts
 *
 * - src/renderer/fonts: Inter Medium for text and Inter Display Bold for headlines and buttons, cut down to
 *   Latin, Greek, Cyrillic and the signs that copy uses, without hinting and optional styles.
 * - samples/fonts: an uploadable display face and an Arabic one, as their makers publish them.
 *
 * Sources and their licences (SIL Open Font License 1.1) are pinned devDependencies.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import wawoff2 from "wawoff2";

const ROOT = new URL("..", import.meta.url);
const packaged = (path: string): string => fileURLToPath(new URL(`node_modules/${path}`, ROOT));

/** Inclusive ranges of code points. */
const CHARACTERS: readonly (readonly [first: number, last: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f], // Latin-1, Latin Extended-A
  [0x18f, 0x18f], // Azerbaijani schwa
  [0x192, 0x192], // florin
  [0x1a0, 0x1a1], // Vietnamese horns
  [0x1af, 0x1b0],
  [0x1cd, 0x1dc], // Pinyin tones
  [0x1e6, 0x1e7],
  [0x1fa, 0x1ff],
  [0x200, 0x21b], // Croatian accents, Romanian commas below
  [0x237, 0x237],
  [0x259, 0x259],
  [0x2bb, 0x2bc], // ʻokina and modifier apostrophe
  [0x2c6, 0x2dd], // spacing accents
  [0x300, 0x312], // combining marks
  [0x31b, 0x31b],
  [0x323, 0x328],
  [0x32d, 0x32e],
  [0x331, 0x331],
  [0x335, 0x338],
  [0x370, 0x3ff], // Greek
  [0x400, 0x45f], // Cyrillic
  [0x462, 0x463],
  [0x472, 0x475],
  [0x490, 0x4ff],
  [0x510, 0x52f],
  [0x1e02, 0x1e03], // Irish dots, Welsh accents, German capital sharp s
  [0x1e0a, 0x1e0b],
  [0x1e1e, 0x1e1f],
  [0x1e40, 0x1e41],
  [0x1e56, 0x1e57],
  [0x1e60, 0x1e61],
  [0x1e6a, 0x1e6b],
  [0x1e80, 0x1e85],
  [0x1e9e, 0x1e9e],
  [0x1ea0, 0x1ef9], // Vietnamese
  [0x2000, 0x206f], // punctuation
  [0x2070, 0x208e], // superiors and inferiors
  [0x20a0, 0x20c0], // currencies
  [0x2105, 0x2105],
  [0x2113, 0x2113],
  [0x2116, 0x2117],
  [0x2120, 0x2122],
  [0x2126, 0x2126],
  [0x212e, 0x212e],
  [0x2150, 0x215e], // fractions
  [0x2190, 0x2199], // arrows
  [0x21a9, 0x21aa],
  [0x2200, 0x2265], // mathematics
  [0x25a0, 0x25cf], // simple shapes
  [0x2605, 0x2606],
  [0x2610, 0x2612],
  [0x2665, 0x2665],
  [0x2713, 0x2718],
  [0xfb00, 0xfb04],
];

/** What a shaper applies by itself; stylistic sets and the rest stay behind. */
const FEATURES = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "rlig", "clig"];

/** hb-subset.h: HB_SUBSET_SETS_* and HB_SUBSET_FLAGS_*. */
const SUBSET = { layoutFeatures: 6, noHinting: 1, notdefOutline: 0x40 } as const;

interface Subsetter {
  readonly memory: WebAssembly.Memory;
  readonly [name: string]: unknown;
}

function subset(font: Uint8Array): Uint8Array {
  const module = new WebAssembly.Module(readFileSync(packaged("harfbuzzjs/dist/harfbuzz-subset.wasm")));
  const exports = new WebAssembly.Instance(module).exports as Subsetter;
  const call = (name: string, ...numbers: number[]): number => {
    const result = (exports[name] as (...numbers: number[]) => number)(...numbers);
    return result >>> 0;
  };
  call("_initialize");
  const pointer = call("malloc", font.length);
  new Uint8Array(exports.memory.buffer).set(font, pointer);
  const face = call("hb_face_create", call("hb_blob_create", pointer, font.length, 2, 0, 0), 0);
  const input = call("hb_subset_input_create_or_fail");
  const unicodes = call("hb_subset_input_unicode_set", input);
  for (const [first, last] of CHARACTERS) {
    for (let code = first; code <= last; code += 1) call("hb_set_add", unicodes, code);
  }
  const features = call("hb_subset_input_set", input, SUBSET.layoutFeatures);
  call("hb_set_clear", features);
  for (const feature of FEATURES) call("hb_set_add", features, tag(feature));
  call("hb_subset_input_set_flags", input, SUBSET.noHinting | SUBSET.notdefOutline);
  const cut = call("hb_subset_or_fail", face, input);
  if (cut === 0) throw new Error("The font cannot be subset.");
  const blob = call("hb_face_reference_blob", cut);
  const at = call("hb_blob_get_data", blob, 0);
  return new Uint8Array(exports.memory.buffer).slice(at, at + call("hb_blob_get_length", blob));
}

function tag(text: string): number {
  return [...text].reduce((sum, letter) => sum * 256 + (letter.codePointAt(0) ?? 0), 0);
}

const FONTS = new URL("src/renderer/fonts/", ROOT);
const SAMPLES = new URL("samples/fonts/", ROOT);
mkdirSync(FONTS, { recursive: true });
mkdirSync(SAMPLES, { recursive: true });

for (const [source, name] of [
  ["inter-ui/web/Inter-Medium.woff2", "inter-medium.ttf"],
  ["inter-ui/display/InterDisplay-Bold.woff2", "inter-display-bold.ttf"],
] as const) {
  const font = subset(Uint8Array.from(await wawoff2.decompress(readFileSync(packaged(source)))));
  writeFileSync(new URL(name, FONTS), font);
  console.log(`${name}: ${font.length} bytes, ${gzipSync(font, { level: 9 }).length} gzipped`);
}
copyFileSync(packaged("inter-ui/LICENSE.txt"), new URL("OFL.txt", FONTS));

for (const [source, name] of [
  [
    "bricolage-grotesque/800ExtraBold/BricolageGrotesque_800ExtraBold.ttf",
    "bricolage-grotesque-extrabold.ttf",
  ],
  ["bricolage-grotesque/LICENSE_FONT", "bricolage-grotesque-OFL.txt"],
  ["tajawal/700Bold/Tajawal_700Bold.ttf", "tajawal-bold.ttf"],
  ["tajawal/LICENSE_FONT", "tajawal-OFL.txt"],
] as const) {
  copyFileSync(packaged(`@expo-google-fonts/${source}`), new URL(name, SAMPLES));
}
