import sharp from "sharp";
import type { FramesOnDisk } from "../competitors/animation.ts";

/** Structural similarity of luma, Wang et al. 2004: windows of 8 × 8 every 4 pixels, K1 0.01, K2 0.03. */

const WINDOW = 8;
const STRIDE = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** BT.601 luma of RGBA. */
function lumaOf(rgba: Uint8Array): Float32Array {
  const luma = new Float32Array(rgba.length / 4);
  for (let at = 0, from = 0; at < luma.length; at += 1, from += 4) {
    luma[at] = 0.299 * (rgba[from] ?? 0) + 0.587 * (rgba[from + 1] ?? 0) + 0.114 * (rgba[from + 2] ?? 0);
  }
  return luma;
}

function windowSsim(one: Float32Array, other: Float32Array, width: number, start: number): number {
  let [sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0];
  for (let y = 0; y < WINDOW; y += 1) {
    for (let at = start + y * width, end = at + WINDOW; at < end; at += 1) {
      const x = one[at] ?? 0;
      const z = other[at] ?? 0;
      sumX += x;
      sumY += z;
      sumXX += x * x;
      sumYY += z * z;
      sumXY += x * z;
    }
  }
  const count = WINDOW * WINDOW;
  const [meanX, meanY] = [sumX / count, sumY / count];
  const [varX, varY] = [sumXX / count - meanX * meanX, sumYY / count - meanY * meanY];
  const covariance = sumXY / count - meanX * meanY;
  return (
    ((2 * meanX * meanY + C1) * (2 * covariance + C2)) /
    ((meanX * meanX + meanY * meanY + C1) * (varX + varY + C2))
  );
}

/** Mean over all windows of two RGBA pictures of one size; 1 is the same. */
function ssim(one: Uint8Array, other: Uint8Array, width: number, height: number): number {
  const [x, y] = [lumaOf(one), lumaOf(other)];
  let sum = 0;
  let count = 0;
  for (let top = 0; top + WINDOW <= height; top += STRIDE) {
    for (let left = 0; left + WINDOW <= width; left += STRIDE) {
      sum += windowSsim(x, y, width, top * width + left);
      count += 1;
    }
  }
  return sum / count;
}

/** How like its frames a GIF is: the mean over the frames of what it shows in the middle of each one's time. */
export async function animationSsim(
  gif: Uint8Array,
  frames: FramesOnDisk,
  pixels: Uint8Array,
): Promise<number> {
  const { width, height, delaysMs } = frames;
  const image = sharp(gif, { pages: -1 }).ensureAlpha();
  const { delay = [] } = await sharp(gif, { pages: -1 }).metadata();
  const shown = await image.raw().toBuffer();
  const frameBytes = width * height * 4;
  let sum = 0;
  let startMs = 0;
  for (const [frame, delayMs] of delaysMs.entries()) {
    // The last frame stays, whatever time the file gives it.
    const page = frame === delaysMs.length - 1 ? delay.length - 1 : pageAt(delay, startMs + delayMs / 2);
    sum += ssim(
      shown.subarray(page * frameBytes, (page + 1) * frameBytes),
      pixels.subarray(frame * frameBytes, (frame + 1) * frameBytes),
      width,
      height,
    );
    startMs += delayMs;
  }
  return sum / delaysMs.length;
}

/** Which page shows at a time. */
function pageAt(delaysMs: readonly number[], timeMs: number): number {
  let endMs = 0;
  for (const [page, delayMs] of delaysMs.entries()) {
    endMs += delayMs;
    if (timeMs < endMs) return page;
  }
  return delaysMs.length - 1;
}
