/**
 * How often a multiple of a logo's usual area doubles it: binary logarithms. They are written down because engines may
 * differ in the last bit of Math.log2, and a logo's size is chosen by it.
 */
export const LOGO_DOUBLINGS = {
  1: 0,
  1.7: 0.765534746362977,
  2.4: 1.2630344058337937,
  3: 1.584962500721156,
  5: 2.321928094887362,
} as const;

/** A multiple of a logo's usual area that is tried. */
export type LogoTimes = keyof typeof LOGO_DOUBLINGS;
