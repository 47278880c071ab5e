import type { Bomb } from "../bomb.ts";
import { OUTLINE_BOMBS } from "./outlines.ts";
import { POLYGLOTS } from "./polyglots.ts";
import { REFERENCE_BOMBS } from "./references.ts";
import { SURFACE_BOMBS } from "./surfaces.ts";
import { TEXT_BOMBS } from "./text.ts";

export const SVG_BOMBS: readonly Bomb[] = [
  ...TEXT_BOMBS,
  ...REFERENCE_BOMBS,
  ...OUTLINE_BOMBS,
  ...SURFACE_BOMBS,
  ...POLYGLOTS,
];
