import type { LibraryFile } from "./library-file.ts";

/** Made by `npm run fonts` from the packages that it names. A change of a hash changes pixels: a new engine version. */

/** Which file of the library has which characters; see fallback-index.ts. */
export const FALLBACK_INDEX: LibraryFile = {
  name: "fallback-index.bin",
  sha256: "291611de1b5f881be286b38d73a4c542f1df1651987683c32ede5de236fc92f2",
};

/** Fonts of the looks, by their names without `.ttf`. */
export const LOOK_FONTS = {} as const satisfies Readonly<Record<string, LibraryFile>>;
