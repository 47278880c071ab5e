import { type LibraryFile, loadLibraryFile } from "../fonts/library-file.ts";
import type { BundledFonts, FontLibrary, RenderFailure, Result } from "../types.ts";
import { loadLineBreaker } from "./break-opportunities.ts";
import type { Coverage } from "./coverage-index.ts";
import type { FontFace } from "./font-face.ts";
import { openFontFile, unreadable } from "./font-file.ts";
import { ShaperFault, type ShaperModules } from "./harfbuzz.ts";
import { TYPE_LIMITS } from "./limits.ts";
import { isInvisibleCharacter } from "./shape-line.ts";

/** Anything that has the compiled shaper, as the engine has. */
export interface ShaperSource {
  readonly modules: ShaperModules;
}

/** Where the fonts of a render come from, beside an uploaded one. */
export interface FontSources extends BundledFonts {
  readonly library: FontLibrary;
}

/** `display` sets headlines and prices; it is the bold where a look brings no face of its own for them. */
export type FontWeight = "regular" | "bold" | "display";

/** The weights all text of a render is set in. */
export interface FontSet {
  /** The face of a weight. One that a look brings lacks characters: a text that it cannot set has the bundled face. */
  readonly face: (weight: FontWeight, text?: string) => FontFace;
  /** Grants the instructions for the text of one output; the rest of an earlier grant expires. */
  grantOutput(): void;
  /** Why the font stopped working while setting text, for instance tables that trap; null while it works. */
  readonly failure: RenderFailure | null;
  /** Frees the fonts' memory. Text that is set already can still be painted. */
  close(): void;
}

/** The library's files for some weights; the others are bundled. */
export type WeightFiles = Readonly<Record<FontWeight, LibraryFile | null>>;

const BUNDLED_WEIGHTS: WeightFiles = { regular: null, bold: null, display: null };

/**
 * Opens the fonts of a render. An uploaded font (TrueType or OpenType bytes) sets all text, its `wght` axis
 * giving the bold where it has one; null takes those of the library in `files`, and the bundled fonts for the rest.
 * Fails with FONT_UNREADABLE; throws what the library throws.
 */
export async function openFontSet(
  source: ShaperSource,
  sources: FontSources,
  uploaded: Uint8Array | null,
  files: WeightFiles = BUNDLED_WEIGHTS,
): Promise<Result<FontSet>> {
  await loadLineBreaker();
  if (uploaded !== null) {
    const file = openFontFile(source.modules, uploaded);
    return file.ok ? { ok: true, value: new OpenFonts(file.value.regular, file.value.bold) } : file;
  }
  const regular = openFontFile(source.modules, sources.regular);
  if (!regular.ok) return regular;
  const bold = openFontFile(source.modules, sources.bold);
  if (!bold.ok) return bold;
  const own = new Map<FontWeight, FontFace>();
  const opened = new Map<LibraryFile, FontFace>();
  for (const weight of ["regular", "bold", "display"] as const) {
    const file = files[weight];
    if (file === null) continue;
    const face = opened.get(file) ?? (await openFace(source, sources.library, file));
    opened.set(file, face);
    own.set(weight, face);
  }
  return { ok: true, value: new OpenFonts(regular.value.regular, bold.value.regular, own) };
}

async function openFace(source: ShaperSource, library: FontLibrary, file: LibraryFile): Promise<FontFace> {
  const opened = openFontFile(source.modules, await loadLibraryFile(library, file));
  if (!opened.ok) throw new Error(`${file.name} of the font library: ${opened.message}`);
  return opened.value.regular;
}

/**
 * The characters of a text the fonts cannot draw, each once, in the order they come. Blanks and characters
 * that draw nothing are never missing; a character counts as there when the font has it composed or taken
 * apart (NFC, NFD), as the shaper will find it. Empty when the font fails (then `fonts.failure` says why).
 */
export function missingCharacters(fonts: FontSet, text: string): readonly string[] {
  const faces = new Set([fonts.face("regular"), fonts.face("bold")]);
  const coverages = [...faces].map((face) => ({ has: (codePoint: number) => face.glyphOf(codePoint) !== 0 }));
  return guarded(fonts, () => absentFromAny(coverages, text)) ?? [];
}

/** As {@link missingCharacters}, of fonts whose coverage is at hand. */
export function absentFromAny(coverages: readonly Coverage[], text: string): readonly string[] {
  const missing = new Set<string>();
  for (const cluster of text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []) {
    for (const coverage of coverages) {
      const forms = [cluster, cluster.normalize("NFC"), cluster.normalize("NFD")];
      if (forms.some((form) => absentIn(coverage, form).length === 0)) continue;
      for (const character of absentIn(coverage, cluster)) missing.add(character);
    }
  }
  return [...missing];
}

function absentIn(coverage: Coverage, text: string): string[] {
  return [...text].filter((character) => {
    const isDrawn = !isInvisibleCharacter(character) && !/\p{Cc}/u.test(character);
    return isDrawn && !coverage.has(character.codePointAt(0) ?? 0);
  });
}

class OpenFonts implements FontSet {
  #faces: { readonly regular: FontFace; readonly bold: FontFace } | null;
  /** Those that a look brings. */
  readonly #own: Map<FontWeight, FontFace>;
  #failure: RenderFailure | null = null;

  constructor(regular: FontFace, bold: FontFace, own: Map<FontWeight, FontFace> = new Map()) {
    this.#faces = { regular, bold };
    this.#own = own;
  }

  get failure(): RenderFailure | null {
    return this.#failure;
  }

  face(weight: FontWeight, text = ""): FontFace {
    if (this.#faces === null) throw new Error("The fonts are closed.");
    const bundled = weight === "regular" ? this.#faces.regular : this.#faces.bold;
    const own = this.#own.get(weight);
    if (own === undefined) return bundled;
    const coverage = { has: (codePoint: number) => own.glyphOf(codePoint) !== 0 };
    return absentFromAny([coverage], text).length === 0 ? own : bundled;
  }

  grantOutput(): void {
    for (const face of new Set([this.face("regular"), this.face("bold"), ...this.#own.values()])) {
      face.grant(TYPE_LIMITS.settingInstructionsMax);
    }
  }

  /** Records that a face stopped working; called by the code that catches a {@link ShaperFault}. */
  fail(fault: ShaperFault): void {
    this.#failure = unreadable(`it breaks while setting text: ${fault.message}`);
  }

  close(): void {
    this.#faces = null;
    this.#own.clear();
  }
}

/** Runs an action that calls the shaper; a fault is recorded on the set, and null returned. */
export function guarded<T>(fonts: FontSet, action: () => T): T | null {
  if (fonts.failure !== null) return null;
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ShaperFault) || !(fonts instanceof OpenFonts)) throw error;
    fonts.fail(error);
    return null;
  }
}
