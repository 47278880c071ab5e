import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SIZES } from "../../src/contract/catalogue/sizes.ts";
import type { Size } from "../../src/contract/catalogue/types.ts";
import { preparePack } from "../../src/renderer/compose/prepare-pack.ts";
import type { PreparedPack } from "../../src/renderer/compose/prepared-pack.ts";
import { createEngine, type Engine } from "../../src/renderer/engine.ts";
import type { AssetBytes, ImageType, PackInputs } from "../../src/renderer/types.ts";
import { loadBundledFonts, loadCodecModules } from "../support/node-modules.ts";

const TYPES: Readonly<Record<string, ImageType>> = {
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
};

/** The bytes of a file in the samples folder. */
export function sampleBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(import.meta.dirname, "../../samples", name)));
}

/** A file of the samples folder as an asset. */
export function sample(name: string): AssetBytes {
  const mimeType = TYPES[name.split(".").pop() ?? ""];
  if (mimeType === undefined) throw new Error(`no type for ${name}`);
  return { bytes: sampleBytes(name), mimeType };
}

export const COPY = {
  headline: "Light enough to carry the whole summer",
  subheadline: "A body oil pressed from wild seeds.",
  cta: "Shop now",
  disclaimer: "While stocks last. Terms apply.",
} as const;

/** One set of inputs per family, from the samples. */
export const FAMILY_ASSETS = {
  campaign: { media: sample("dandelion-turned.jpg"), logo: sample("logo-light.svg") },
  duo: {
    media: sample("dandelion-turned.jpg"),
    secondaryMedia: sample("bottle.png"),
    logo: sample("logo.svg"),
  },
  product: { product: sample("bottle.png"), logo: sample("logo.svg") },
  person: { person: sample("figure.png") },
  device: { device: sample("dandelion-turned.jpg"), logo: sample("logo.svg") },
  scenery: { background: sample("dandelion-turned.jpg"), logo: sample("logo-light.svg") },
  brand: { logo: sample("logo.svg") },
} satisfies Record<string, PackInputs["assets"]>;

/** A size that no network asks for. */
export function sizeOf(width: number, height: number, safe: Size["safeArea"] = null): Size {
  const like = SIZES[0];
  if (like === undefined) throw new Error("the catalogue is empty");
  return { ...like, sizeId: `test-${width}x${height}`, group: "test", width, height, safeArea: safe };
}

export function catalogueSize(sizeId: string): Size {
  const size = SIZES.find((candidate) => candidate.sizeId === sizeId);
  if (size === undefined) throw new Error(`not in the catalogue: ${sizeId}`);
  return size;
}

let shared: Promise<Engine> | null = null;

/** One engine for a test file. */
export function engine(): Promise<Engine> {
  shared ??= loadCodecModules().then(createEngine);
  return shared;
}

/** Prepares a pack and throws when it cannot be. */
export async function prepared(
  inputs: Partial<PackInputs> & Pick<PackInputs, "assets">,
): Promise<PreparedPack> {
  const whole: PackInputs = { font: null, copy: COPY, brand: {}, ...inputs };
  const pack = await preparePack(await engine(), await loadBundledFonts(), whole);
  if (!pack.ok) throw new Error(`${pack.code}: ${pack.message}`);
  return pack.value;
}

/** A digest of pixels: comparing large arrays element by element is slow. */
export function digest(pixels: Uint8ClampedArray): string {
  return createHash("sha256").update(pixels).digest("hex");
}
