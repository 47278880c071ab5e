import { findContract } from "creative-packs-service/contracts";
import { LOOK_IDS } from "creative-packs-service/looks";
import {
  type Copy,
  isImageType,
  type Raster,
  type Renderer,
  type RenderFailure,
  type ScreenRequest,
} from "creative-packs-service/renderer";
import { atScale } from "creative-packs-service/scales";
import type { Size } from "creative-packs-service/size-types";
import { SIZES } from "creative-packs-service/sizes";
import type { AnimationCache } from "./animation-cache.ts";
import { outputKeyOf } from "./choose-next-tile.ts";
import { faultOf } from "./faults.ts";
import { type PackCache, readFile } from "./pack-cache.ts";
import type { Answer, Pixels, Task } from "./protocol.ts";
import type { SlotFile } from "./types.ts";

/** A worker's caches between tasks. */
export interface KeptWork {
  readonly packs: PackCache;
  readonly animation: AnimationCache;
}

/** Yields to messages, then returns whether the task was canceled. */
type IsDropped = () => Promise<boolean>;

/**
 * Performs one task. Throws if the engine breaks, and a `FontLibraryFault` if a font of the library cannot be loaded.
 */
export async function performTask(
  renderer: Renderer,
  { packs, animation }: KeptWork,
  task: Exclude<Task, { kind: "reduce" }>,
  isDropped: IsDropped,
): Promise<Answer> {
  animation.keepOnly(task.kind === "frame" ? outputKeyOf(task) : null);
  if (task.kind === "examine") return examine(renderer, task);
  if (task.kind === "warmUp") return warmUp(renderer, task.photo, isDropped);
  const { pack: spec } = task;
  const pack = await packs.packOf(spec);
  if (!pack.ok) return { kind: "fault", fault: pack.fault };
  if (task.kind === "open") return { kind: "open" };
  const { output } = task;
  const { sizeId, contractId, scale = 1, ...rest } = output;
  const size = atScale(sizeOf(sizeId, contractId), task.kind === "measure" ? scale : 1);
  const request: ScreenRequest = { size, ...rest };
  if (task.kind === "frame") {
    const frames = await animation.framesOf(outputKeyOf(task), pack.value, request);
    return frames.ok ? { kind: "frame", pixels: pixelsOf(frames.value.draw(task.frame)) } : failed(frames);
  }
  if (task.kind === "draw") {
    const still = await renderer.draw(pack.value, request);
    if (!still.ok) return failed(still);
    const { picture, layout, compliance, play } = still.value;
    return { kind: "draw", pixels: pixelsOf(picture), layout, compliance, play };
  }
  const made = await renderer.render(pack.value, request);
  if (!made.ok) return failed(made);
  const files = made.value.files.map(({ role, extension, bytes, compliance }) => {
    const { verdict, byteCap, checks } = compliance;
    return { role, extension, byteLength: bytes.byteLength, compliance: { verdict, byteCap, checks } };
  });
  return { kind: "measure", files };
}

export const failed = ({ code, message }: RenderFailure): Answer => ({
  kind: "fault",
  fault: faultOf(code, message),
});

function sizeOf(sizeId: string, contractId?: string): Size {
  const sizes = contractId === undefined ? SIZES : findContract(contractId)?.sizes;
  const size = sizes?.find((candidate) => candidate.sizeId === sizeId);
  if (size === undefined) throw new Error(`not in the catalogue: ${sizeId}`);
  return size;
}

/** Decodes one picture as the main picture, because faces are detected only there. */
async function examine(renderer: Renderer, { asset }: Task & { kind: "examine" }): Promise<Answer> {
  const { mimeType } = asset;
  if (!isImageType(mimeType)) throw new Error("a font shows nothing");
  const read = await readFile("media", asset);
  // A picture that is too small for this slot may fit into another.
  if (!read.ok && read.fault.code !== "TOO_SMALL") return { kind: "fault", fault: read.fault };
  const bytes = read.ok ? read.value : new Uint8Array(await asset.file.arrayBuffer());
  const sources = await renderer.load({ media: { bytes, mimeType } }, null);
  if (!sources.ok) return failed(sources);
  const facts = renderer.facts(sources.value).get("media");
  sources.value.close();
  if (facts === undefined) throw new Error("what was decoded has facts");
  return { kind: "examine", facts };
}

/** Sizes of the warm-up. Small ones are enough, because they run the same engine code as large ones. */
const WARM_UP_SIZE_IDS = ["iab-300x250", "iab-728x90"];
const WARM_UP_WORDS: Copy = { headline: "A headline of some words", cta: "See more" };
const WARM_UP_WIDTH_PX = 300;

/**
 * Draws a photo once with all code that it needs: decoder, face detector, fonts, layout and resampler. Stops when
 * canceled.
 */
async function warmUp(renderer: Renderer, photo: SlotFile, isDropped: IsDropped): Promise<Answer> {
  const bytes = new Uint8Array(await photo.file.arrayBuffer());
  const sources = await renderer.load({ media: { bytes, mimeType: "image/jpeg" } }, null);
  if (!sources.ok) return failed(sources);
  const dress = { font: null, copy: WARM_UP_WORDS, brand: {}, look: LOOK_IDS[0] } as const;
  const pack = await renderer.dress(sources.value, dress);
  if (pack.ok) {
    for (const sizeId of WARM_UP_SIZE_IDS) {
      if (await isDropped()) break;
      await renderer.draw(pack.value, {
        size: sizeOf(sizeId),
        copy: WARM_UP_WORDS,
        motion: "static",
        format: "jpg",
        widthPx: WARM_UP_WIDTH_PX,
        protection: "watermarked",
        markSeed: 0,
      });
    }
    pack.value.close();
  }
  sources.value.close();
  return pack.ok ? { kind: "warmUp" } : failed(pack);
}

/** Pixels of a raster in a buffer that can be transferred. Copies them only if necessary. */
export function pixelsOf({ width, height, pixels }: Raster): Pixels {
  const { buffer } = pixels;
  // Transferring a view would detach the whole buffer.
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== width * height * 4) {
    return { width, height, buffer: new Uint8ClampedArray(pixels).buffer };
  }
  return { width, height, buffer };
}
