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
  readonly face: (weight: FontWeight) => FontFace;
  /** Grants the instructions for the text of one output; the rest of an earlier grant expires. */
  grantOutput(): void;
  /** Why the font stopped working while setting text, for instance tables that trap; null while it works. */
  readonly failure: RenderFailure | null;
  /** Frees the fonts' memory. Text that is set already can still be painted. */
  close(): void;
}

/**
 * Opens the fonts of a render. An uploaded font (TrueType or OpenType bytes) sets all text, its `wght` axis
 * giving the bold where it has one; null takes the bundled fonts. Fails with FONT_UNREADABLE.
 */
export async function openFontSet(
  source: ShaperSource,
  sources: FontSources,
  uploaded: Uint8Array | null,
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
  return { ok: true, value: new OpenFonts(regular.value.regular, bold.value.regular) };
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
  #failure: RenderFailure | null = null;

  constructor(regular: FontFace, bold: FontFace) {
    this.#faces = { regular, bold };
  }

  get failure(): RenderFailure | null {
    return this.#failure;
  }

  face(weight: FontWeight): FontFace {
    if (this.#faces === null) throw new Error("The fonts are closed.");
    return weight === "regular" ? this.#faces.regular : this.#faces.bold;
  }

  grantOutput(): void {
    for (const face of new Set([this.face("regular"), this.face("bold")])) {
      face.grant(TYPE_LIMITS.settingInstructionsMax);
    }
  }

  /** Records that a face stopped working; called by the code that catches a {@link ShaperFault}. */
  fail(fault: ShaperFault): void {
    this.#failure = unreadable(`it breaks while setting text: ${fault.message}`);
  }

  close(): void {
    this.#faces = null;
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
