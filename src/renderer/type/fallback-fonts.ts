import { loadLibraryFile } from "../fonts/library-file.ts";
import type { FontLibrary } from "../types.ts";
import type { FallbackFile } from "./fallback-plan.ts";
import { type FontFile, type LibraryWeights, openLibraryFont } from "./font-file.ts";
import { HarfBuzz, type ShaperModules } from "./harfbuzz.ts";
import { TYPE_LIMITS } from "./limits.ts";

/** The files of the library that a pack's texts need, opened in one instance of the shaper. */
export class FallbackFaces {
  readonly #harfbuzz: HarfBuzz;
  readonly #library: FontLibrary;
  readonly #weights: LibraryWeights;
  readonly #open = new Map<string, FontFile>();

  constructor(modules: ShaperModules, library: FontLibrary, weights: LibraryWeights) {
    this.#harfbuzz = new HarfBuzz(modules, TYPE_LIMITS.openingInstructionsMax);
    this.#library = library;
    this.#weights = weights;
  }

  /** How many files would be open with these. */
  countWith(files: Iterable<FallbackFile>): number {
    return new Set([...this.#open.keys(), ...[...files].map(({ file }) => file.name)]).size;
  }

  /** Opens what is not open yet. Throws what the library throws. */
  async load(files: Iterable<FallbackFile>): Promise<void> {
    const wanted = new Map([...files].map(({ file }) => [file.name, file]));
    const lacking = [...wanted.values()].filter(({ name }) => !this.#open.has(name));
    // A few at a time: files that wait for being opened take memory beside those that are.
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

  /** Sets the instructions that may be spent on all of them from now on. */
  grant(instructions: number): void {
    this.#harfbuzz.grant(instructions);
  }
}

const FETCHED_TOGETHER = 8;
