import { hanOfLanguage } from "../fonts/fallback-families.ts";
import { fallbackFamilies } from "../fonts/fallback-index.ts";
import { loadLibraryFile } from "../fonts/library-file.ts";
import type { Copy, FontLibrary } from "../types.ts";
import type { Coverage } from "./coverage-index.ts";
import { type FallbackFile, type FallbackPlan, needsFallback, planFallback } from "./fallback-plan.ts";
import { FaceChain } from "./font-chain.ts";
import type { FontFace } from "./font-face.ts";
import { type FontFile, type LibraryWeights, openLibraryFont } from "./font-file.ts";
import { HarfBuzz, type ShaperModules } from "./harfbuzz.ts";
import { TYPE_LIMITS } from "./limits.ts";
import { loadWordBreaks, NO_WORD_BREAKS, type WordBreaks } from "./word-breaks.ts";

type Weight = "regular" | "bold";

/** The fallback plan of one ad copy, and its face chains made so far. */
interface CopyPlan {
  readonly plan: FallbackPlan;
  readonly language: string | undefined;
  readonly words: WordBreaks;
  readonly chains: Readonly<Record<Weight, Map<FontFace, FaceChain>>>;
}

const NO_FALLBACK: FallbackPlan = { files: new Map(), missing: [], han: null };
const planOf = (
  plan: FallbackPlan,
  language: string | undefined,
  words: WordBreaks = NO_WORD_BREAKS,
): CopyPlan => ({ plan, language, words, chains: { regular: new Map(), bold: new Map() } });

export const textsOf = ({ language: _, ...texts }: Copy): readonly string[] =>
  Object.values(texts).filter((text) => text !== undefined);

/**
 * Chooses and opens the fonts that texts need beyond a pack's main faces. Each copy's plan is independent of other
 * loaded copies.
 */
export class CopyFonts {
  readonly #modules: ShaperModules;
  readonly #library: FontLibrary;
  readonly #main: FontFile;
  readonly #weights: LibraryWeights;
  readonly #openSecond: () => FontFile | null;
  #second: FontFile | null = null;
  #faces: FallbackFaces | null = null;
  #plans = new Map<string, CopyPlan>();
  #current: CopyPlan = planOf(NO_FALLBACK, undefined);

  /**
   * `weights` are the weights of the library's typefaces. `openSecond` opens the bundled fonts, which draw characters
   * that the main fonts lack, and returns null if the bundled fonts are the main ones.
   */
  constructor(
    modules: ShaperModules,
    library: FontLibrary,
    main: FontFile,
    weights: LibraryWeights,
    openSecond: () => FontFile | null,
  ) {
    this.#modules = modules;
    this.#library = library;
    this.#main = main;
    this.#weights = weights;
    this.#openSecond = openSecond;
  }

  /** Plans a copy and opens the files of its plan. Throws what the library throws. */
  async load(copy: Copy): Promise<void> {
    const key = JSON.stringify(copy);
    if (this.#plans.has(key)) return;
    const plan = await this.#plan(copy);
    const files = [...plan.files.values()];
    if ((this.#faces?.countWith(files) ?? 0) > TYPE_LIMITS.fallbackFilesMax) {
      // Fonts of the pack's other copies have filled the memory. Drop them; they are loaded again when needed.
      this.#faces = null;
      this.#plans = new Map();
    }
    if (files.length > 0) {
      this.#faces ??= new FallbackFaces(this.#modules, this.#library, this.#weights);
      await this.#faces.load(files);
    }
    const isTraditional = (plan.han ?? hanOfLanguage(copy.language)) === "noto-sans-tc";
    const words = await loadWordBreaks(this.#library, textsOf(copy), copy.language, isTraditional);
    this.#plans.set(key, planOf(plan, copy.language, words));
  }

  /** The bundled fonts, opened on first access; null if they are the main fonts. */
  bundled(): FontFile | null {
    this.#second ??= this.#openSecond();
    return this.#second;
  }

  /** Switches to a loaded copy: later text uses its fonts. */
  use(copy: Copy | null): void {
    const loaded = copy === null ? undefined : this.#plans.get(JSON.stringify(copy));
    this.#current = loaded ?? planOf(NO_FALLBACK, copy?.language);
  }

  /** Word breaks of the current copy. */
  get words(): WordBreaks {
    return this.#current.words;
  }

  /**
   * The chain of a main face for the current copy. `weight` is the weight of the library's faces, `bundled` that of the
   * bundled face.
   */
  chain(main: FontFace, weight: Weight, bundled: Weight): FaceChain {
    const { plan, language, chains } = this.#current;
    const known = chains[weight].get(main);
    if (known !== undefined) return known;
    const faces = this.#faces;
    const chain = new FaceChain(
      main,
      this.#bundledFor(main, bundled),
      plan,
      (file) => {
        if (faces === null) throw new Error("the fonts are closed");
        return faces.font(file)[weight];
      },
      language,
    );
    chains[weight].set(main, chain);
    return chain;
  }

  /** Grants an instruction budget to the fonts opened here. */
  grant(instructions: number): void {
    this.#faces?.grant(instructions);
    for (const face of new Set([this.#second?.regular, this.#second?.bold])) face?.grant(instructions);
  }

  close(): void {
    this.#faces = null;
    this.#second = null;
    this.#plans = new Map();
    this.#current = planOf(NO_FALLBACK, undefined);
  }

  async #plan(copy: Copy): Promise<FallbackPlan> {
    const texts = textsOf(copy);
    const main = this.#main.regular;
    if (!needsFallback(main, texts)) return NO_FALLBACK;
    const second = this.bundled()?.regular;
    const ownCoverage: Coverage = {
      has: (codePoint) => main.has(codePoint) || second?.has(codePoint) === true,
    };
    if (!needsFallback(ownCoverage, texts)) return NO_FALLBACK;
    return planFallback(await fallbackFamilies(this.#library), ownCoverage, texts, copy.language);
  }

  /**
   * The bundled face that follows a main face: always for a look's own face, for an uploaded font only if a text needed
   * it.
   */
  #bundledFor(main: FontFace, weight: Weight): FontFace | null {
    const face = (this.#second ?? this.#main)[weight];
    return face === main ? null : face;
  }
}

/** The library files of a pack's texts, opened in one instance of the shaper. */
class FallbackFaces {
  readonly #harfbuzz: HarfBuzz;
  readonly #library: FontLibrary;
  readonly #weights: LibraryWeights;
  readonly #open = new Map<string, FontFile>();

  constructor(modules: ShaperModules, library: FontLibrary, weights: LibraryWeights) {
    this.#harfbuzz = new HarfBuzz(modules, TYPE_LIMITS.openingInstructionsMax);
    this.#library = library;
    this.#weights = weights;
  }

  /** Number of files that would be open after loading `files`. */
  countWith(files: Iterable<FallbackFile>): number {
    return new Set([...this.#open.keys(), ...[...files].map(({ file }) => file.name)]).size;
  }

  /** Opens the files that are not open yet. Throws what the library throws. */
  async load(files: Iterable<FallbackFile>): Promise<void> {
    const wanted = new Map([...files].map(({ file }) => [file.name, file]));
    const lacking = [...wanted.values()].filter(({ name }) => !this.#open.has(name));
    // Load a few at a time, because loaded files take memory until they are opened.
    for (let at = 0; at < lacking.length; at += FETCHED_TOGETHER) {
      const some = lacking.slice(at, at + FETCHED_TOGETHER);
      const loaded = await Promise.all(some.map((file) => loadLibraryFile(this.#library, file)));
      some.forEach(({ name }, i) => {
        const bytes = loaded[i];
        if (bytes === undefined) return;
        this.#harfbuzz.grant(TYPE_LIMITS.openingInstructionsMax);
        this.#open.set(name, openLibraryFont(this.#harfbuzz, bytes, this.#weights));
      });
    }
  }

  /** An open file. Throws when it was not loaded. */
  font({ file }: FallbackFile): FontFile {
    const font = this.#open.get(file.name);
    if (font === undefined) throw new Error(`${file.name} is set before it was loaded`);
    return font;
  }

  grant(instructions: number): void {
    this.#harfbuzz.grant(instructions);
  }
}

const FETCHED_TOGETHER = 8;
