import { globSync } from "node:fs";
import { inRoot } from "../../local/paths.ts";
import type { LibrarySource } from "./library-sources.ts";

/** A fallback typeface: variable fonts (axis `wght`), one per range of characters. */
export interface FallbackFamily {
  readonly id: string;
  readonly files: readonly LibrarySource[];
}

/** Packages, each with the pattern of the ranges in its file names. */
const FAMILIES: readonly (readonly [id: string, range: string])[] = [
  ["noto-sans-arabic", "arabic"],
  ["noto-sans-hebrew", "hebrew"],
  ["noto-sans-devanagari", "devanagari"],
  ["noto-sans-thai", "thai"],
  ["noto-sans-jp", "[0-9]*"],
  ["noto-sans-kr", "[0-9]*"],
  ["noto-sans-sc", "[0-9]*"],
  ["noto-sans-tc", "[0-9]*"],
  ["noto-emoji", "[0-9]*"],
];

const rangeNumber = (path: string): number => Number(/-(\d+)-wght-/.exec(path)?.[1] ?? 0);

function filesOf(id: string, range: string): readonly LibrarySource[] {
  const pattern = `@fontsource-variable/${id}/files/${id}-${range}-wght-normal.woff2`;
  const paths = globSync(pattern, { cwd: inRoot("node_modules") });
  if (paths.length === 0) throw new Error(`${id} is not installed. Run npm ci.`);
  return paths
    .sort((a, b) => rangeNumber(a) - rangeNumber(b))
    .map((path, number) => ({ name: `${id}-${number}.ttf`, path }));
}

/** The families of installed packages, each with its files in order. */
export const readFallbackFamilies = (): readonly FallbackFamily[] =>
  FAMILIES.map(([id, range]) => ({ id, files: filesOf(id, range) }));
