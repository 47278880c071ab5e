import type { Size } from "#catalogue/types.ts";

/**
 * The largest size first: it needs the most memory, and then all of it is free. What it frees is enough for each of the
 * others.
 */
export const largestFirst = <T extends { readonly size: Size }>(outputs: readonly T[]): readonly T[] =>
  [...outputs].sort((one, other) => areaOf(other.size) - areaOf(one.size));

const areaOf = ({ width, height }: Size): number => width * height;
