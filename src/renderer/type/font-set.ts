import { type LibraryFile, loadLibraryFile } from "../fonts/library-file.ts";
import type { BundledFonts, Copy, FontLibrary, RenderFailure, Result } from "../types.ts";
import { loadLineBreaker } from "./break-opportunities.ts";
import { clustersOf } from "./clusters.ts";
import { CopyFonts } from "./copy-fonts.ts";
import { isCovered } from "./fallback-plan.ts";
import type { FaceChain } from "./font-chain.ts";
import type { FontFace } from "./font-face.ts";
import {
  BUNDLED_WEIGHTS,
  type FontFile,
  type LibraryWeights,
  openFontFile,
  unreadable,
} from "./font-file.ts";
import { ShaperFault, type ShaperModules } from "./harfbuzz.ts";
import { TYPE_LIMITS } from "./limits.ts";
import type { WordBreaks } from "./word-breaks.ts";

/** A provider of the compiled shaper, such as the engine. */
export interface ShaperSource {
  readonly modules: ShaperModules;
}

/** Sources of a render's fonts, besides an uploaded one. */
export interface FontSources extends BundledFonts {
  readonly library: FontLibrary;
}

/**
 * `display` is the weight of headlines and prices, and is bold unless a look has its own face for them. `fine_print` is
 * regular, except for an uploaded font that is bold.
 */
export type FontWeight = "regular" | "bold" | "display" | "fine_print";

/** The fonts of a render, by the weight of the text. */
export interface FontSet {
  /** Whether one uploaded font sets headline and price, and another uploaded font all other text. */
  readonly hasTextFont: boolean;
  /**
   * The main face of a weight. The bundled face replaces a look's own face for a text whose letters only the bundled
   * one has.
   */
  readonly face: (weight: FontWeight, text?: string) => FontFace;
  /** The faces of a text: the main face, and faces for the characters that it lacks. */
  readonly chain: (weight: FontWeight, text: string) => FaceChain;
  /** Word breaks of the current copy. */
  readonly words: WordBreaks;
  /** Opens the fonts that a copy needs beyond the main fonts. Throws what the library throws. */
  load(copy: Copy): Promise<void>;
  /**
   * Grants the instructions for the text of one output; the rest of an earlier grant expires. Switches to the fonts of
   * `copy`, which must be loaded; without a copy, no library is used. `share` reduces the grant, 0..1.
   */
  grantOutput(copy?: Copy, share?: number): void;
  /** Why the font stopped working while setting text, for instance tables that trap; null while it works. */
  readonly failure: RenderFailure | null;
  /** Frees the fonts' memory. Text that is already set can still be painted. */
  close(): void;
}

/** The library file that sets each weight; null for a weight that the bundled fonts set. */
export type WeightFiles = Readonly<Record<"regular" | "bold" | "display", LibraryFile | null>> & {
  /** Whether the look's fonts are light. Characters that they lack are then set in regular faces, in headlines too. */
  readonly isLight: boolean;
  /**
   * Weights of the library's typefaces for other scripts: `regular` for text, `bold` for headlines, prices and bold
   * text.
   */
  readonly scriptWeights: LibraryWeights;
};

const BUNDLED_FILES: WeightFiles = {
  regular: null,
  bold: null,
  display: null,
  isLight: false,
  scriptWeights: BUNDLED_WEIGHTS,
};

/**
 * Opens the fonts of a render. An uploaded font (TrueType or OpenType bytes) sets all text; if there is a `textFont`,
 * it sets only headline and price. Its `wght` axis, if any, provides the bold weight. If `uploaded` is null, text is
 * set in the library's `files`, and weights without a file in the bundled fonts. `load` opens fonts for missing
 * characters. Fails with FONT_UNREADABLE; throws what the library throws.
 */
export async function openFontSet(
  source: ShaperSource,
  sources: FontSources,
  uploaded: Uint8Array | null,
  files: WeightFiles = BUNDLED_FILES,
  textFont: Uint8Array | null = null,
): Promise<Result<FontSet>> {
  await loadLineBreaker();
  if (uploaded !== null) {
    const file = openFontFile(source.modules, uploaded);
    if (!file.ok) return file;
    if (textFont === null) return { ok: true, value: new OpenFonts(source, sources, file.value) };
    const text = openFontFile(source.modules, textFont);
    if (!text.ok) return text;
    const display = new Map<FontWeight, FontFace>([["display", file.value.bold]]);
    return { ok: true, value: new OpenFonts(source, sources, text.value, display) };
  }
  const bundled = openBundled(source, sources);
  if (!bundled.ok) return bundled;
  const own = new Map<FontWeight, FontFace>();
  const opened = new Map<LibraryFile, FontFace>();
  for (const weight of ["regular", "bold", "display"] as const) {
    const file = files[weight];
    if (file === null) continue;
    const face = opened.get(file) ?? (await openFace(source, sources.library, file));
    opened.set(file, face);
    own.set(weight, face);
  }
  return { ok: true, value: new OpenFonts(source, sources, bundled.value, own, files) };
}

async function openFace(source: ShaperSource, library: FontLibrary, file: LibraryFile): Promise<FontFace> {
  const opened = openFontFile(source.modules, await loadLibraryFile(library, file));
  if (!opened.ok) throw new Error(`${file.name} of the font library: ${opened.message}`);
  return opened.value.regular;
}

/** The two bundled files as one font file of two weights. */
function openBundled({ modules }: ShaperSource, sources: BundledFonts): Result<FontFile> {
  const regular = openFontFile(modules, sources.regular);
  if (!regular.ok) return regular;
  const bold = openFontFile(modules, sources.bold);
  if (!bold.ok) return bold;
  return { ok: true, value: { regular: regular.value.regular, bold: bold.value.regular, isBold: false } };
}

class OpenFonts implements FontSet {
  readonly hasTextFont: boolean;
  #faces: FontFile | null;
  /** The look's faces, or an uploaded font for headlines. */
  readonly #own: Map<FontWeight, FontFace>;
  readonly #isLight: boolean;
  /** Cache by own face and text: the own face, or the common face if it has letters that the own face lacks. */
  readonly #chosen = new Map<FontFace, Map<string, FontFace>>();
  readonly #copyFonts: CopyFonts;
  #failure: RenderFailure | null = null;

  constructor(
    source: ShaperSource,
    sources: FontSources,
    faces: FontFile,
    own: Map<FontWeight, FontFace> = new Map(),
    files: WeightFiles | null = null,
  ) {
    const { isLight, scriptWeights } = files ?? BUNDLED_FILES;
    this.hasTextFont = files === null && own.size > 0;
    this.#faces = faces;
    this.#isLight = isLight;
    this.#own = own;
    // The bundled fonts follow an uploaded font, and are opened when a text needs them.
    const openSecond = (): FontFile | null => {
      if (files !== null) return null;
      const opened = openBundled(source, sources);
      if (!opened.ok) throw new Error(`the bundled fonts: ${opened.message}`);
      return opened.value;
    };
    this.#copyFonts = new CopyFonts(source.modules, sources.library, faces, scriptWeights, openSecond);
  }

  get failure(): RenderFailure | null {
    return this.#failure;
  }

  face(weight: FontWeight, text = ""): FontFace {
    if (this.#faces === null) throw new Error("The fonts are closed.");
    if (weight === "fine_print") return this.#finePrintFace(text);
    const common = this.#faces[this.#commonWeight(weight)];
    const own = this.#own.get(weight);
    if (own === undefined) return common;
    const known = this.#chosen.get(own)?.get(text);
    if (known !== undefined) return known;
    const chosen = hasAllOf(own, common, text) ? own : common;
    const kept = this.#chosen.get(own) ?? new Map<string, FontFace>();
    if (kept.size >= TYPE_LIMITS.paragraphsCachedMax) kept.clear();
    this.#chosen.set(own, kept.set(text, chosen));
    return chosen;
  }

  /** The bundled regular face instead of an uploaded bold font, if the bundled face has the letters. */
  #finePrintFace(text: string): FontFace {
    const regular = this.face("regular", text);
    const bundled = this.#faces?.isBold === true ? this.#copyFonts.bundled() : null;
    return bundled !== null && hasAllOf(bundled.regular, regular, text) ? bundled.regular : regular;
  }

  #commonWeight(weight: FontWeight): "regular" | "bold" {
    return weight === "regular" || weight === "fine_print" || this.#isLight ? "regular" : "bold";
  }

  chain(weight: FontWeight, text: string): FaceChain {
    return this.#copyFonts.chain(
      this.face(weight, text),
      weight === "regular" || weight === "fine_print" ? "regular" : "bold",
      this.#commonWeight(weight),
    );
  }

  get words(): WordBreaks {
    return this.#copyFonts.words;
  }

  async load(copy: Copy): Promise<void> {
    try {
      await this.#copyFonts.load(copy);
    } catch (error) {
      if (!(error instanceof ShaperFault)) throw error;
      this.fail(error);
    }
  }

  grantOutput(copy?: Copy, share = 1): void {
    const instructions = Math.ceil(TYPE_LIMITS.settingInstructionsMax * share);
    this.#copyFonts.use(copy ?? null);
    for (const face of new Set([this.face("regular"), this.face("bold"), ...this.#own.values()])) {
      face.grant(instructions);
    }
    if (this.#faces?.isBold === true) this.#copyFonts.bundled();
    this.#copyFonts.grant(instructions);
  }

  /** Records that a face stopped working; called by the code that catches a {@link ShaperFault}. */
  fail(fault: ShaperFault): void {
    this.#failure = unreadable(`it breaks while setting text: ${fault.message}`);
  }

  close(): void {
    this.#faces = null;
    this.#own.clear();
    this.#copyFonts.close();
  }
}

/** Whether all text of a set has one weight: an uploaded font without a bold. */
export const isSingleWeight = (fonts: FontSet): boolean => fonts.face("regular") === fonts.face("display");

/** Whether `own` has all letters of a text that `other` has. */
function hasAllOf(own: FontFace, other: FontFace, text: string): boolean {
  return clustersOf(text).every((cluster) => isCovered(own, cluster) || !isCovered(other, cluster));
}

/** Runs an action that calls the shaper. A fault is recorded on the set, and the result is null. */
export function recordingFailure<T>(fonts: FontSet, action: () => T): T | null {
  if (fonts.failure !== null) return null;
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ShaperFault) || !(fonts instanceof OpenFonts)) throw error;
    fonts.fail(error);
    return null;
  }
}
