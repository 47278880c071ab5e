import { isImageType, type Renderer } from "creative-packs-service/renderer";
import { failed, pixelsOf } from "./perform-task.ts";
import type { Answer, Task } from "./protocol.ts";

/** JPEG quality, high because an order encodes the picture again. */
const REDUCED_QUALITY = 0.93;

/** Converts a picture that is too large to a file that the service accepts. */
export async function reducePicture(
  renderer: Renderer,
  { asset }: Task & { kind: "reduce" },
): Promise<Answer> {
  const { mimeType, file } = asset;
  if (!isImageType(mimeType) || mimeType === "image/svg+xml") throw new Error("only pixels can be reduced");
  const reduced = await renderer.reduce(new Uint8Array(await file.arrayBuffer()), mimeType);
  if (!reduced.ok) return failed(reduced);
  const { width, height, buffer } = pixelsOf(reduced.value);
  const canvas = new OffscreenCanvas(width, height);
  const picture = new ImageData(new Uint8ClampedArray(buffer), width, height);
  canvas.getContext("2d")?.putImageData(picture, 0, 0);
  const type = reduced.value.alpha === "opaque" ? "image/jpeg" : "image/png";
  return { kind: "reduce", file: await canvas.convertToBlob({ type, quality: REDUCED_QUALITY }) };
}
