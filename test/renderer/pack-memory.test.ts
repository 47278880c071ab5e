import { expect, it } from "vitest";
import { largestFile, MEGABYTE, peakBytesOfPack } from "./largest-packs.ts";

/**
 * Guarantee: a pack of ten from the largest picture that is taken fits an isolate of 128 MB beside all else, even where
 * nothing is ever collected. Counted are buffers and WASM memories, from their making until they are given back. Other
 * kinds of files, a video, and what an upload's completion keeps, are in pack-memory.long.test.ts.
 */

it("a 48-megapixel JPEG", { timeout: 60_000 }, async () => {
  const file = await largestFile((picture) => picture.jpeg({ quality: 80 }));
  expect((await peakBytesOfPack(file, "image/jpeg")) / MEGABYTE).toBeLessThan(53);
});
