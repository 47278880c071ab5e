import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createFaceDetector, SCAN_EDGE_PX } from "#renderer/faces/face-detector.ts";
import { wholeScan } from "#renderer/faces/plan-scans.ts";
import { drawScan } from "#renderer/faces/scan.ts";
import { loadCodecModules } from "../../support/node-modules.ts";
import { pyramidOf } from "./pictures.ts";

/**
 * Guarantee: the network's output is the same floats on every machine and in every version. When the hash was recorded,
 * the floats matched the graph of @mediapipe/face_detection, run operator by operator in doubles.
 */

const HASH = "3d20df38a1744fa8f9deb26aca9d1138ad5221c3525efe7fab6c0cef9795a859";

const { faceDetector, faceWeights } = await loadCodecModules();
const detector = await createFaceDetector(faceDetector, faceWeights);

/** The kernel's output for a whole picture. */
async function scanOf(name: string): Promise<Float32Array> {
  const pyramid = await pyramidOf(name);
  const { pixels } = drawScan(pyramid, wholeScan(pyramid.base));
  return detector.scan(pixels).slice();
}

describe("the kernel's output", () => {
  it("is unchanged, whatever was scanned before", async () => {
    const first = await scanOf("figure.png");
    await scanOf("dandelion.jpg");
    const again = await scanOf("figure.png");
    expect(again).toEqual(first);
    const bytes = new Uint8Array(first.buffer, 0, first.byteLength);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(HASH);
  });

  it("is independent of the raster's pixel type", () => {
    for (const value of [0, 127, 255]) {
      const pixels = new Uint8ClampedArray(SCAN_EDGE_PX * SCAN_EDGE_PX * 4).fill(value);
      expect(detector.scan(pixels).every((number) => Number.isFinite(number))).toBe(true);
    }
  });
});

describe("the file of weights", () => {
  const changed = (index: number, word: number): Uint8Array => {
    const bytes = faceWeights.slice();
    new DataView(bytes.buffer).setInt32(index * 4, word, true);
    return bytes;
  };

  it.each([
    ["another mark", changed(0, 7)],
    ["more layers than there are", changed(1, 250)],
    ["less memory than the tensors take", changed(2, 1000)],
    ["a layer of an unknown kind", changed(5, 9)],
    ["a tensor past the memory's end", changed(5 + 8, 2_000_000)],
    ["weights past the file's end", changed(5 + 11, 600_000)],
    ["nothing", new Uint8Array(0)],
  ])("is rejected with %s", async (_, weights) => {
    await expect(createFaceDetector(faceDetector, weights)).rejects.toThrow(RangeError);
  });
});
