import sharp from "sharp";
import type { PackInputs } from "#renderer/index.ts";
import { inputsOf, withPack } from "../support/renderer.ts";
import { assetOf, type MarkedPicture } from "./pictures/index.ts";

const WIDTH_PX = 4000;
const HEIGHT_PX = 3000;
const ROUNDS = 3;

/**
 * CPU time in milliseconds to read a photo of 12 megapixels, and what of it goes into faces: a device's screen is read
 * the same way, but shows nobody. The least of three rounds each.
 */
export async function measureCpu(picture: MarkedPicture): Promise<{ whole: number; faces: number }> {
  const bytes = await sharp(assetOf(picture).bytes)
    .resize(WIDTH_PX, HEIGHT_PX, { fit: "cover" })
    .jpeg({ quality: 90 })
    .toBuffer();
  const photo = { bytes: Uint8Array.from(bytes), mimeType: "image/jpeg" } as const;
  const whole = await leastCpu({ media: photo });
  return { whole, faces: whole - (await leastCpu({ device: photo })) };
}

async function leastCpu(assets: PackInputs["assets"]): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    await withPack(inputsOf({ assets }), async () => undefined);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
