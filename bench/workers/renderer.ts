import { SIZES } from "#catalogue/sizes.ts";
import type { Size } from "#catalogue/types.ts";
import { codecModules, getRenderer } from "#platform/render-engine.ts";
import { decodeImage } from "#renderer/decode/index.ts";
import { createEngine } from "#renderer/engine.ts";
import type { RenderedOutput } from "#renderer/index.ts";
import { heldAsset, holdAsset } from "./held-assets.ts";
import type { DecodeAnswer, DecodeTask, PackAnswer, PackTask } from "./tasks.ts";

/** Only the renderer in workerd: no queue, no database, no storage. */

const engine = createEngine(codecModules);

function sizeOf(sizeId: string): Size {
  const size = SIZES.find((candidate) => candidate.sizeId === sizeId);
  if (size === undefined) throw new Error(`not in the catalogue: ${sizeId}`);
  return size;
}

async function drawPack({ media, logo, copy, sizeIds, motion, format }: PackTask): Promise<RenderedOutput[]> {
  const renderer = getRenderer();
  const sizes = sizeIds.map(sizeOf);
  const pack = await renderer.prepare({
    assets: {
      media: { bytes: heldAsset(media.asset), mimeType: media.mimeType },
      logo: { bytes: heldAsset(logo), mimeType: "image/svg+xml" },
    },
    font: null,
    copy,
    brand: {},
  });
  if (!pack.ok) throw new Error(pack.message);
  const outputs: RenderedOutput[] = [];
  for (const size of sizes) {
    const output = await renderer.render(pack.value, { size, motion, format });
    if (!output.ok) throw new Error(`${size.sizeId}: ${output.message}`);
    outputs.push(output.value);
  }
  pack.value.close();
  return outputs;
}

function primaryOf({ sizeId, files }: RenderedOutput) {
  const primary = files.find((file) => file.role === "primary");
  if (primary === undefined) throw new Error(`${sizeId} has no primary file`);
  return primary;
}

async function answerPack(task: PackTask): Promise<PackAnswer> {
  const outputs = await drawPack(task);
  return {
    outputs: outputs.map((output) => {
      const { width, height, bytes } = primaryOf(output);
      return { sizeId: output.sizeId, width, height, byteLength: bytes.byteLength, layout: output.layout };
    }),
  };
}

async function answerDecode({ asset, mimeType, width, height, times }: DecodeTask): Promise<DecodeAnswer> {
  let answer: DecodeAnswer = { width: 0, height: 0 };
  for (let time = 0; time < times; time += 1) {
    const decoded = await decodeImage(engine, heldAsset(asset), mimeType, { width, height });
    if (!decoded.ok) throw new Error(decoded.message);
    const { raster } = decoded.value;
    const whole = { x: 0, y: 0, width: raster.width, height: raster.height };
    const small = engine.resampler.resample(raster, whole, width, height);
    answer = { width: small.width, height: small.height };
  }
  return answer;
}

export default {
  async fetch(request) {
    const held = await holdAsset(request);
    if (held !== null) return held;
    switch (new URL(request.url).pathname) {
      case "/pack":
        return Response.json(await answerPack(await request.json()));
      case "/decode":
        return Response.json(await answerDecode(await request.json()));
      default:
        return new Response(null, { status: 404 });
    }
  },
} satisfies ExportedHandler;
