/**
 * Writes src/renderer/faces/face-detector.weights: layers and weights of the face detector in
 * @mediapipe/face_detection, for the kernel face-detector. Run: npm run faces
 *
 * `--check` changes nothing and fails if the committed file differs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { readCheckOption } from "../local/check-option.ts";
import { runScript } from "../local/failure.ts";
import { readLayers } from "./face-weights/layers.ts";
import { packWeights } from "./face-weights/pack-weights.ts";

const isCheck = readCheckOption();
const SOURCE = "node_modules/@mediapipe/face_detection/face_detection_full_range.tflite";
const MADE = "src/renderer/faces/face-detector.weights";

await runScript(async () => {
  const weights = packWeights(readLayers(readFileSync(SOURCE)));
  if (isCheck) {
    if (Buffer.compare(readFileSync(MADE), weights) !== 0)
      throw new Error(`Not what @mediapipe/face_detection gives: ${MADE}. Run npm run faces.`);
    return;
  }
  writeFileSync(MADE, weights);
  console.log(`${MADE} ${weights.length} bytes, ${gzipSync(weights, { level: 9 }).length} gzipped`);
});
