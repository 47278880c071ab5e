import type { AxisLocation } from "./subset.ts";

/** A font of the library, with the file of a package from which it is made. */
export interface LibrarySource {
  /** File name in the library. */
  readonly name: string;
  /** A `.ttf` or `.woff2` file in node_modules. */
  readonly path: string;
  /**
   * If present, the font is subset to the characters of Latin, Greek and Cyrillic text: `{}` for a font of one weight,
   * coordinates for an instance of a variable one. If absent, the font stays complete.
   */
  readonly subset?: AxisLocation;
}

/**
 * Fonts of the looks. After a change run `npm run fonts`, which writes src/renderer/fonts/library-files.ts with the
 * names and hashes for the renderer.
 */
export const LOOK_SOURCES: readonly LibrarySource[] = [
  ...weights("archivo-black", "ArchivoBlack", ["400Regular"]),
  ...weights("fredoka", "Fredoka", ["500Medium", "700Bold"]),
  ...weights("jost", "Jost", ["300Light", "400Regular"]),
  ...weights("marcellus", "Marcellus", ["400Regular"]),
  ...weights("noto-serif-display", "NotoSerifDisplay", ["500Medium"]),
  ...weights("sofia-sans-extra-condensed", "SofiaSansExtraCondensed", ["900Black"]),
];

function weights(family: string, file: string, styles: readonly string[]): readonly LibrarySource[] {
  return styles.map((style) => ({
    name: `${family}-${style.replace(/^\d+/, "").toLowerCase()}.ttf`,
    path: `@expo-google-fonts/${family}/${style}/${file}_${style}.ttf`,
    subset: {},
  }));
}
