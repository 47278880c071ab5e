import type { LookId } from "#catalogue/looks.ts";
import { BOLD } from "./bold.ts";
import { CLASSIC } from "./classic.ts";
import { EDITORIAL } from "./editorial.ts";
import type { Look } from "./look.ts";
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
