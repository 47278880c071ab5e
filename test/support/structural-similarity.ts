const WINDOW_PX = 8;
const STEP_PX = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/**
 * Mean structural similarity of two images with interleaved samples, over 8 × 8 windows of each channel (Wang, Bovik,
 * Sheikh, Simoncelli, "Image quality assessment", 2004; uniform windows). 1 for equal images.
 */
export function structuralSimilarity(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  width: number,
  height: number,
  channels: number,
): number {
  let sum = 0;
  let windows = 0;
  for (let top = 0; top === 0 || top + WINDOW_PX <= height; top += STEP_PX) {
    for (let left = 0; left === 0 || left + WINDOW_PX <= width; left += STEP_PX) {
      const right = Math.min(width, left + WINDOW_PX);
      const bottom = Math.min(height, top + WINDOW_PX);
      for (let channel = 0; channel < channels; channel++) {
        let a = 0;
        let b = 0;
        let aa = 0;
        let bb = 0;
        let ab = 0;
        for (let y = top; y < bottom; y++) {
          for (let x = left; x < right; x++) {
            const at = (y * width + x) * channels + channel;
            const p = actual[at] ?? 0;
            const q = expected[at] ?? 0;
            a += p;
            b += q;
            aa += p * p;
            bb += q * q;
            ab += p * q;
          }
        }
        const count = (right - left) * (bottom - top);
        const meanA = a / count;
        const meanB = b / count;
        const varianceA = aa / count - meanA * meanA;
        const varianceB = bb / count - meanB * meanB;
        const covariance = ab / count - meanA * meanB;
        sum +=
          ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
          ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2));
        windows += 1;
      }
    }
  }
  return sum / windows;
}
