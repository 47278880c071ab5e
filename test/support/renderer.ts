import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { SIZES } from "#catalogue/sizes.ts";
import type { Size } from "#catalogue/types.ts";
import {
  type AssetBytes,
  createRenderer,
  type ImageType,
  type OutputRequest,
  type PackInputs,
  type PreparedPack,
  type RenderedFile,
  type RenderedOutput,
} from "#renderer/index.ts";
import { fontLibrary, loadBundledFonts, loadCodecModules } from "./node-modules.ts";
import { unwrap } from "./unwrap.ts";

/** The whole renderer, and inputs for its tests. */

export const renderer = createRenderer(await loadCodecModules(), await loadBundledFonts(), fontLibrary);

const TYPES: Readonly<Record<string, ImageType>> = {
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** Bytes of a file of samples/. */
export function readSample(name: string): Uint8Array {
  return Uint8Array.from(readFileSync(join(import.meta.dirname, "../../samples", name)));
}

/** An image of samples/ as an asset. */
export function sampleAsset(name: string): AssetBytes {
  const mimeType = TYPES[extname(name)];
  if (mimeType === undefined) throw new Error(`no type is known for ${name}`);
  return { bytes: readSample(name), mimeType };
}

/** An SVG asset with this view box and content. */
export const svgAsset = (viewBox: string, drawn: string): AssetBytes => ({
  bytes: new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${drawn}</svg>`,
  ),
  mimeType: "image/svg+xml",
});

export function catalogueSize(sizeId: string): Size {
  const size = SIZES.find((candidate) => candidate.sizeId === sizeId);
  if (size === undefined) throw new Error(`not in the catalogue: ${sizeId}`);
  return size;
}

/** Inputs without font, copy and brand colours, plus those given. */
export const inputsOf = (given: Partial<PackInputs> & Pick<PackInputs, "assets">): PackInputs => ({
  font: null,
  copy: {},
  brand: {},
  ...given,
});

/** Prepares a pack, passes it to `use`, and closes it. Fails the test if the pack cannot be prepared. */
export async function withPack<T>(inputs: PackInputs, use: (pack: PreparedPack) => Promise<T>): Promise<T> {
  const prepared = unwrap(await renderer.prepare(inputs));
  try {
    return await use(prepared);
  } finally {
    prepared.close();
  }
}

/** Draws one output; fails the test if it cannot be drawn. */
export async function draw(pack: PreparedPack, request: OutputRequest): Promise<RenderedOutput> {
  return unwrap(await renderer.render(pack, request));
}

/** The file with that role. */
export function fileOf(output: RenderedOutput, role: RenderedFile["role"] = "primary"): RenderedFile {
  const file = output.files.find((candidate) => candidate.role === role);
  if (file === undefined) throw new Error(`${output.sizeId} has no ${role} file`);
  return file;
}
