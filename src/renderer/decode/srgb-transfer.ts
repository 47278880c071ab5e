/** Steps of linear light from 0 to 1. */
export const LINEAR_STEPS = 16384;

/** The sRGB transfer function (IEC 61966-2-1) at 16384 steps of linear light, in 128ths of a byte. */
const ENCODED = Uint16Array.from({ length: LINEAR_STEPS + 1 }, (_, step) => {
  const linear = step / LINEAR_STEPS;
  const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(value * 255 * 128);
});

/** sRGB of linear light, in 128ths of a byte; light out of range is clipped. */
export function encodeSrgb128(linear: number): number {
  return ENCODED[Math.max(0, Math.min(LINEAR_STEPS, Math.round(linear * LINEAR_STEPS)))] ?? 0;
}

/** The sRGB byte of each step of linear light. */
export const SRGB_BYTES = Uint8Array.from(ENCODED, (fine) => Math.round(fine / 128));

/** Linear sRGB from XYZ relative to D50: the inverse of the matrix of sRGB's own ICC profile (Bradford-adapted). */
export const LINEAR_FROM_XYZ_D50 = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;
