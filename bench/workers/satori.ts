import { initResvg, Resvg } from "@cf-wasm/resvg/others";
import { initSatori, satori } from "@cf-wasm/satori/others";
import jpegEncoder from "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm";
import encodeJpeg, { init as initEncoder } from "@jsquash/jpeg/encode.js";
import resvgModule from "../../node_modules/@cf-wasm/resvg/dist/lib/resvg.wasm";
import layoutEngine from "../../node_modules/@cf-wasm/satori/dist/lib/yoga.wasm";
import bold from "../../src/renderer/fonts/inter-display-bold.ttf";
import type { Composition } from "../competitors/composition.ts";
import { heldAsset, holdAsset } from "./held-assets.ts";
import { markupOf } from "./satori-markup.ts";

/**
 * Renders with the usual libraries of image workers: satori converts HTML to SVG, resvg SVG to pixels, mozjpeg pixels
 * to JPEG.
 */

const QUALITY = 85;
const CHUNK_BYTES = 8_192;

let isReady = false;

/** Runs within a request, because workerd cannot finish asynchronous work outside a request. */
async function makeReady(): Promise<void> {
  if (isReady) return;
  await initSatori(layoutEngine);
  await initResvg(resvgModule);
  await initEncoder(jpegEncoder);
  isReady = true;
}

function dataUrl(name: string, mimeType: string): string {
  const bytes = heldAsset(name);
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  }
  return `data:${mimeType};base64,${btoa(binary)}`;
}

/** Renders every composition; returns the bytes of each file. */
async function drawAll(compositions: readonly Composition[]): Promise<number[]> {
  await makeReady();
  const photo = dataUrl("photo", "image/jpeg");
  const logo = dataUrl("logo", "image/svg+xml");
  const fonts = [{ name: "Inter", data: bold, weight: 700 as const, style: "normal" as const }];
  const sizes: number[] = [];
  for (const composition of compositions) {
    const { width, height } = composition;
    const svg = await satori(markupOf(composition, photo, logo), { width, height, fonts });
    const resvg = new Resvg(svg);
    const image = resvg.render();
    const data = new Uint8ClampedArray(image.pixels);
    const file = await encodeJpeg({ width, height, data, colorSpace: "srgb" }, { quality: QUALITY });
    sizes.push(file.byteLength);
    image.free();
    resvg.free();
  }
  return sizes;
}

export default {
  async fetch(request) {
    const held = await holdAsset(request);
    if (held !== null) return held;
    return Response.json(await drawAll(await request.json()));
  },
} satisfies ExportedHandler;
