import { readFileSync } from "node:fs";
import { inRoot } from "../../local/paths.ts";
import { COPY_CHARACTERS } from "./copy-characters.ts";

const SUBSETTER = inRoot("node_modules/harfbuzzjs/dist/harfbuzz-subset.wasm");

/** Features that a shaper applies by default; stylistic sets and others are dropped. */
const FEATURES = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "rlig", "clig"];

/** hb-subset.h: HB_SUBSET_SETS_* and HB_SUBSET_FLAGS_*. */
const SUBSET = { layoutFeatures: 6, noHinting: 1, notdefOutline: 0x40 } as const;

interface Subsetter {
  readonly memory: WebAssembly.Memory;
  readonly [name: string]: unknown;
}

/** Coordinates of a variable font's axes by tag, at which its outlines are fixed. */
export type AxisLocation = Readonly<Record<string, number>>;

/**
 * Subsets a TrueType font to the characters of Latin, Greek and Cyrillic text, without hinting and optional styles.
 * `location` selects an instance of a variable font. `own.characters` replaces the characters, `own.features` adds
 * OpenType features. Deterministic.
 */
export function subsetForCopy(
  font: Uint8Array,
  location: AxisLocation = {},
  own: { readonly characters?: typeof COPY_CHARACTERS; readonly features?: readonly string[] } = {},
): Uint8Array<ArrayBuffer> {
  // The worker's types, which tests share, do not allow compiling modules at run time.
  const module: WebAssembly.Module = Reflect.construct(WebAssembly.Module, [readFileSync(SUBSETTER)]);
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
  for (const [first, last] of own.characters ?? COPY_CHARACTERS) {
    for (let code = first; code <= last; code += 1) call("hb_set_add", unicodes, code);
  }
  const features = call("hb_subset_input_set", input, SUBSET.layoutFeatures);
  call("hb_set_clear", features);
  for (const feature of [...FEATURES, ...(own.features ?? [])]) call("hb_set_add", features, tag(feature));
  for (const [axis, value] of Object.entries(location)) {
    call("hb_subset_input_pin_axis_location", input, face, tag(axis), value);
  }
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
