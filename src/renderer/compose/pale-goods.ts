import type { Picture } from "./prepared-pack.ts";

/** Samples along each edge of a cut-out, and the share of its visible ones that must be near white. */
const SAMPLES = 48;
const PALE_SHARE_MIN = 0.42;
/** The least level of the darkest channel of a near white, of 255 at full opacity. */
const PALE_LEVEL_MIN = 198;

/** Whether a cut-out is mostly white, as porcelain and cosmetics are: on a light surface it would be lost. */
export function isPale({ isCutOut, bounds, pyramid: { base } }: Picture): boolean {
  if (!isCutOut || "rgb" in base) return false;
  let [seen, pale] = [0, 0];
  for (let row = 0; row < SAMPLES; row += 1) {
    const y = bounds.y + Math.floor(((row + 0.5) / SAMPLES) * bounds.height);
    for (let column = 0; column < SAMPLES; column += 1) {
      const at = (y * base.width + bounds.x + Math.floor(((column + 0.5) / SAMPLES) * bounds.width)) * 4;
      const [r = 0, g = 0, b = 0, alpha = 0] = base.pixels.subarray(at, at + 4);
      if (alpha < 200) continue;
      seen += 1;
      if (Math.min(r, g, b) >= PALE_LEVEL_MIN) pale += 1;
    }
  }
  return pale > seen * PALE_SHARE_MIN;
}
