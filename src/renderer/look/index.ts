import type { ButtonStyleId, LookId } from "#catalogue/looks.ts";
import type { LibraryFile } from "../fonts/library-file.ts";
import { LOOK_FONTS } from "../fonts/library-files.ts";
import { BOLD } from "./bold.ts";
import { CLASSIC } from "./classic.ts";
import { EDITORIAL } from "./editorial.ts";
import type { ButtonStyle, Look, LookFontName } from "./look.ts";
import { MINIMAL } from "./minimal.ts";
import { PLAYFUL } from "./playful.ts";
import { PREMIUM } from "./premium.ts";
import { RETAIL } from "./retail.ts";

export type * from "./look.ts";

/** Every look by its name. */
export const LOOKS: Readonly<Record<LookId, Look>> = {
  classic: CLASSIC,
  bold: BOLD,
  editorial: EDITORIAL,
  minimal: MINIMAL,
  retail: RETAIL,
  premium: PREMIUM,
  playful: PLAYFUL,
};

const BUTTONS: Readonly<Record<ButtonStyleId, Pick<ButtonStyle, "shape" | "fill">>> = {
  pill: { shape: "pill", fill: "solid" },
  soft: { shape: "soft", fill: "solid" },
  square: { shape: "square", fill: "solid" },
  pill_outline: { shape: "pill", fill: "outline" },
  soft_outline: { shape: "soft", fill: "outline" },
  square_outline: { shape: "square", fill: "outline" },
  rule: { shape: "rule", fill: "outline" },
};

/** The look with another button style, keeping its arrow and padding; the look itself without a style. */
export const withButton = (look: Look, style: ButtonStyleId | undefined): Look =>
  style === undefined ? look : { ...look, button: { ...look.button, ...BUTTONS[style] } };

const fileOf = (name: LookFontName | null): LibraryFile | null => (name === null ? null : LOOK_FONTS[name]);

/** The library fonts of a look; null where it uses the bundled font. */
export const fontFilesOf = ({ type: { fonts } }: Look) => ({
  regular: fileOf(fonts.regular),
  bold: fileOf(fonts.bold),
  display: fileOf(fonts.display),
  isLight: fonts.isLight ?? false,
  scriptWeights: fonts.scriptWeights,
});
