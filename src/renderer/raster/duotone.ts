import type { Raster } from "../types.ts";
import type { Rgb } from "./canvas.ts";

/** Turns an opaque picture into two tones, in place: its shades by brightness from `shadow` to `light`. */
export function duotone({ pixels }: Raster, shadow: Rgb, light: Rgb): void {
  const tones = new Uint8Array(256 * 3);
  for (let value = 0; value < 256; value += 1) {
    tones[value * 3] = Math.round(shadow.r + ((light.r - shadow.r) * value) / 255);
    tones[value * 3 + 1] = Math.round(shadow.g + ((light.g - shadow.g) * value) / 255);
    tones[value * 3 + 2] = Math.round(shadow.b + ((light.b - shadow.b) * value) / 255);
  }
  for (let at = 0; at < pixels.length; at += 4) {
    const brightness = (pixels[at] ?? 0) * 299 + (pixels[at + 1] ?? 0) * 587 + (pixels[at + 2] ?? 0) * 114;
    const tone = Math.floor(brightness / 1000) * 3;
    pixels[at] = tones[tone] ?? 0;
    pixels[at + 1] = tones[tone + 1] ?? 0;
    pixels[at + 2] = tones[tone + 2] ?? 0;
  }
}
