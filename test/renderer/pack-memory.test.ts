import { expect, it } from "vitest";
import { largestFile, MEGABYTE, peakBytesOfPack } from "./largest-packs.ts";

/**
 * Guarantee: a pack of ten outputs from the largest accepted picture fits an isolate of 128 MB beside everything else,
 * even without garbage collection. Buffers and WASM memories count from their allocation until they are freed. Other
 * kinds of files, a video, and an upload's completion are in pack-memory.long.test.ts.
 */

it("a 48-megapixel JPEG", { timeout: 60_000 }, async () => {
  const file = await largestFile((picture) => picture.jpeg({ quality: 80 }));
  expect((await peakBytesOfPack(file, "image/jpeg")) / MEGABYTE).toBeLessThan(53);
});
