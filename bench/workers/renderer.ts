import { SIZES } from "#catalogue/sizes.ts";
import type { Size } from "#catalogue/types.ts";
import { codecModules, getRenderer } from "#platform/render-engine.ts";
import { decodeImage } from "#renderer/decode/index.ts";
import { createEngine } from "#renderer/engine.ts";
import type { FaceDetector } from "#renderer/faces/face-detector.ts";
import { findFaces } from "#renderer/faces/find-faces.ts";
import type { RenderedOutput } from "#renderer/index.ts";
import { premultiplied } from "#renderer/raster/premultiply.ts";
import { Pyramid } from "#renderer/raster/pyramid.ts";
import { heldAsset, holdAsset } from "./held-assets.ts";
import type { DecodeAnswer, DecodeTask, FacesAnswer, FacesTask, PackAnswer, PackTask } from "./tasks.ts";

/** The renderer alone in workerd: no queue, no database, no storage. */

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

/** The pixels are kept between requests, so that only the first one decodes. */
const pyramids = new Map<string, Pyramid>();

async function pyramidOf({ asset, mimeType, width, height }: FacesTask): Promise<Pyramid> {
  const known = pyramids.get(asset);
  if (known !== undefined) return known;
  const decoded = await decodeImage(engine, heldAsset(asset), mimeType, { width, height });
  if (!decoded.ok) throw new Error(decoded.message);
  const pyramid = new Pyramid(premultiplied(decoded.value.raster), engine.resampler);
  pyramids.set(asset, pyramid);
  return pyramid;
}

async function answerFaces(task: FacesTask): Promise<FacesAnswer> {
  const pyramid = await pyramidOf(task);
  let answer: FacesAnswer | null = null;
  for (let time = 0; time < task.times; time += 1) {
    pyramid.trim();
    answer = await engine.useFaceDetector((detector) => {
      let scans = 0;
      const scan: FaceDetector["scan"] = (pixels) => {
        scans += 1;
        return detector.scan(pixels);
      };
      const faces = findFaces({ scan, memoryBytes: detector.memoryBytes }, pyramid);
      return { scans, faces: faces.length };
    });
  }
  if (answer === null) throw new Error("the face detector trapped");
  return answer;
}

export default {
  async fetch(request) {
    const held = await holdAsset(request);
    if (held !== null) return held;
    switch (new URL(request.url).pathname) {
      case "/pack":
        return Response.json(await answerPack(await request.json()));
      case "/file": {
        const [output] = await drawPack(await request.json());
        if (output === undefined) throw new Error("no size was asked for");
        return new Response(Uint8Array.from(primaryOf(output).bytes));
      }
      case "/faces":
        return Response.json(await answerFaces(await request.json()));
      case "/decode":
        return Response.json(await answerDecode(await request.json()));
      default:
        return new Response(null, { status: 404 });
    }
  },
} satisfies ExportedHandler;
