import type { SlotFile } from "./types.ts";

/** Size of the photo: large enough that the browser optimizes the decoder, but painted within milliseconds. */
const WIDTH_PX = 640;
const HEIGHT_PX = 480;
const QUALITY = 0.9;
/**
 * Multiplier that spreads pixel positions over all 32 bits, to get grain (Knuth, The Art of Computer Programming 3,
 * 6.4).
 */
const SCATTER = 2_654_435_761;
/** Shift that leaves 4 bits of grain, about as much as in a photo. */
const GRAIN_BITS = 28;

/** Paints a JPEG of a soft, grainy surface. Null if the browser cannot; then the first file takes longer. */
export async function paintWarmUpPhoto(): Promise<SlotFile | null> {
  try {
    const canvas = new OffscreenCanvas(WIDTH_PX, HEIGHT_PX);
    const context = canvas.getContext("2d");
    if (context === null) return null;
    const picture = context.createImageData(WIDTH_PX, HEIGHT_PX);
    for (let at = 0; at < WIDTH_PX * HEIGHT_PX; at += 1) {
      const grain = Math.imul(at, SCATTER) >>> GRAIN_BITS;
      const [across, down] = [(at % WIDTH_PX) / WIDTH_PX, at / (WIDTH_PX * HEIGHT_PX)];
      picture.data.set([grain + 200 * across, grain + 200 * down, grain + 120, 255], 4 * at);
    }
    context.putImageData(picture, 0, 0);
    const file = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
    return file.type === "image/jpeg" ? { id: "warm-up", mimeType: "image/jpeg", file } : null;
  } catch {
    return null;
  }
}
