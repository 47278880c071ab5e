import type { Size } from "../contract/catalogue/types.ts";

/**
 * The largest size first. It needs the most memory and finds it free: nothing is there yet that only smaller sizes are
 * drawn from, and what it gives back is room for all of them.
 */
export const largestFirst = <T extends { readonly size: Size }>(outputs: readonly T[]): readonly T[] =>
  [...outputs].sort((one, other) => areaOf(other.size) - areaOf(one.size));

const areaOf = ({ width, height }: Size): number => width * height;
