import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CELL_NUMBERS, createFaceDetector, GRID_EDGE, SCAN_EDGE_PX } from "#renderer/faces/face-detector.ts";
import { wholeScan } from "#renderer/faces/plan-scans.ts";
import { drawScan } from "#renderer/faces/scan.ts";
import { readModel } from "../../../scripts/make/face-weights/tflite.ts";
import { loadCodecModules } from "../../support/node-modules.ts";
import { pyramidOf } from "./pictures.ts";
import { runReference } from "./reference-network.ts";

/**
 * Guarantee: the kernel computes the network of @mediapipe/face_detection. It is held against the same graph, run
 * operator by operator in doubles, and its answers are the same floats everywhere, today as on the day of the hash.
 */

const MODEL = "node_modules/@mediapipe/face_detection/face_detection_full_range.tflite";
const HASH = "3d20df38a1744fa8f9deb26aca9d1138ad5221c3525efe7fab6c0cef9795a859";

const { faceDetector, faceWeights } = await loadCodecModules();
const detector = await createFaceDetector(faceDetector, faceWeights);

/** A scan of a whole picture, and the kernel's answer. */
async function scanOf(name: string) {
  const pyramid = await pyramidOf(name);
  const { pixels } = drawScan(pyramid, wholeScan(pyramid.base));
  return { pixels, cells: detector.scan(pixels).slice() };
}

/** Score and box of each cell, as the reference gives them. */
function referenceOf(pixels: Uint8ClampedArray, is8Bit: boolean): Float64Array {
  const model = readModel(readFileSync(MODEL));
  const input = Float64Array.from(
    pixels.filter((_, index) => index % 4 !== 3),
    (value) => value / 127.5 - 1,
  );
  const values = runReference(model, input, is8Bit);
  const [first, second] = model.outputs.map((output) => values.get(output) ?? new Float64Array());
  if (first === undefined || second === undefined) throw new Error("the model has two outputs");
  const [scores, boxes] = first.length < second.length ? [first, second] : [second, first];
  return Float64Array.from({ length: GRID_EDGE * GRID_EDGE * 17 }, (_, index) => {
    const cell = Math.floor(index / 17);
    return (index % 17 === 0 ? scores[cell] : boxes[cell * 16 + (index % 17) - 1]) ?? 0;
  });
}

const meantOf = (cells: Float32Array): Float32Array => cells.filter((_, index) => index % CELL_NUMBERS < 17);

describe("the kernel's answer", () => {
  it("is that of the graph with the same weights, and close to that with the whole ones", async () => {
    const { pixels, cells } = await scanOf("figure.png");
    const meant = meantOf(cells);
    const worst = (reference: Float64Array, isScore: boolean): number =>
      meant.reduce(
        (most, value, index) =>
          (index % 17 === 0) === isScore ? Math.max(most, Math.abs(value - (reference[index] ?? 0))) : most,
        0,
      );
    const same = referenceOf(pixels, true);
    expect(worst(same, true)).toBeLessThan(0.001);
    expect(worst(same, false)).toBeLessThan(0.01);
    const whole = referenceOf(pixels, false);
    // Of a score, where 0.9 is the difference between unsure and sure.
    expect(worst(whole, true)).toBeLessThan(0.9);
  });

  it("is the same floats as ever, whatever was looked at before", async () => {
    const first = await scanOf("figure.png");
    await scanOf("dandelion.jpg");
    const again = await scanOf("figure.png");
    expect(again.cells).toEqual(first.cells);
    const bytes = new Uint8Array(first.cells.buffer, 0, first.cells.byteLength);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(HASH);
  });

  it("is one for pixels of any kind", () => {
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
    ["a tensor behind the memory", changed(5 + 8, 2_000_000)],
    ["weights behind the file's end", changed(5 + 11, 600_000)],
    ["nothing", new Uint8Array(0)],
  ])("is refused with %s", async (_, weights) => {
    await expect(createFaceDetector(faceDetector, weights)).rejects.toThrow(RangeError);
  });
});
