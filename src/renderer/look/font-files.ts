import type { LibraryFile } from "../fonts/library-file.ts";
import { LOOK_FONTS } from "../fonts/library-files.ts";
import type { Look, LookFontName } from "./look.ts";

const fileOf = (name: LookFontName | null): LibraryFile | null => (name === null ? null : LOOK_FONTS[name]);

/** The files of the font library that a look sets its words in; null where it takes the bundled font. */
export const fontFilesOf = ({ type: { fonts } }: Look) => ({
  regular: fileOf(fonts.regular),
  bold: fileOf(fonts.bold),
  display: fileOf(fonts.display),
  isLight: fonts.isLight ?? false,
  scriptWeights: fonts.scriptWeights,
});
