import { SIZES } from "#catalogue/sizes.ts";
import { codecModules, getRenderer } from "#platform/render-engine.ts";
import { composeScene, flattenScene } from "#renderer/compose/scene.ts";
import { encodeAnimation } from "#renderer/encode/index.ts";
import { createEngine } from "#renderer/engine.ts";
import type { Raster } from "#renderer/index.ts";
import { driftsOf, framesOf } from "#renderer/motion/animate.ts";
import { delaysMs } from "#renderer/motion/timeline.ts";
import { heldAsset, holdAsset } from "./held-assets.ts";
import type { AnimationTask } from "./tasks.ts";

/** The frames of an animation as the renderer draws them, and the GIF it makes of them. */

const engine = createEngine(codecModules);
let frames: readonly Raster[] = [];

async function drawFrames({ sizeId, copy, byteCap }: AnimationTask): Promise<readonly Raster[]> {
  const size = SIZES.find((candidate) => candidate.sizeId === sizeId);
  if (size === undefined) throw new Error(`not in the catalogue: ${sizeId}`);
  const pack = await getRenderer().prepare({
    assets: {
      media: { bytes: heldAsset("photo"), mimeType: "image/jpeg" },
      logo: { bytes: heldAsset("logo"), mimeType: "image/svg+xml" },
    },
    font: null,
    copy,
    brand: {},
  });
  if (!pack.ok) throw new Error(pack.message);
  const scene = composeScene(pack.value, { size }, true);
  if (!scene.ok) throw new Error(scene.message);
  const still = composeScene(pack.value, { size });
  if (!still.ok) throw new Error(still.message);
  const { hasBorder } = flattenScene(still.value, size.needsBorder);
  const draw = framesOf(scene.value, hasBorder, driftsOf(pack.value, scene.value, "gif", byteCap));
  const drawn = delaysMs().map((_, frame) => draw(frame));
  pack.value.close();
  return drawn;
}

function joined(rasters: readonly Raster[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(rasters.reduce((sum, { pixels }) => sum + pixels.length, 0));
  let at = 0;
  for (const { pixels } of rasters) {
    bytes.set(pixels, at);
    at += pixels.length;
  }
  return bytes;
}

/** Encodes the drawn frames. */
async function encodeGif(byteCap: number): Promise<Uint8Array<ArrayBuffer>> {
  const [first] = frames;
  if (first === undefined) throw new Error("no frames were drawn");
  const frameOf = (index: number): Raster => frames[index] ?? first;
  const shape = { width: first.width, height: first.height, delaysMs: delaysMs(), loops: 3 };
  const encoded = await encodeAnimation(engine, frameOf, shape, "gif", byteCap);
  if (!encoded.ok) throw new Error(encoded.message);
  return Uint8Array.from(encoded.value.bytes);
}

export default {
  async fetch(request) {
    const held = await holdAsset(request);
    if (held !== null) return held;
    const task = await request.json<AnimationTask>();
    if (new URL(request.url).pathname === "/frames") {
      frames = await drawFrames(task);
      return new Response(joined(frames));
    }
    return new Response(await encodeGif(task.byteCap));
  },
} satisfies ExportedHandler;
