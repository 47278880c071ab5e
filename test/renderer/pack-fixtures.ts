import { createHash } from "node:crypto";
import { SIZES } from "#catalogue/sizes.ts";
import type { Size } from "#catalogue/types.ts";
import { reportOf } from "#renderer/compose/layout-report.ts";
import { preparePack } from "#renderer/compose/prepare-pack.ts";
import type { PreparedPack } from "#renderer/compose/prepared-pack.ts";
import { composeScene, flattenScene, releaseScene } from "#renderer/compose/scene.ts";
import { createEngine, type Engine } from "#renderer/engine.ts";
import type {
  Box,
  Copy,
  ElementRole,
  Face,
  LayoutElement,
  LayoutReport,
  PackInputs,
  Raster,
} from "#renderer/types.ts";
import { loadCodecModules, loadFontSources } from "../support/node-modules.ts";
import { sampleAsset } from "../support/renderer.ts";
import { unwrap } from "../support/unwrap.ts";

export const COPY = {
  headline: "Light enough to carry the whole summer",
  subheadline: "A body oil pressed from wild seeds.",
  cta: "Shop now",
  disclaimer: "While stocks last. Terms apply.",
} as const;

/** One set of inputs per family, from the samples. */
export const FAMILY_ASSETS = {
  campaign: { media: sampleAsset("dandelion-turned.jpg"), logo: sampleAsset("logo-light.svg") },
  duo: {
    media: sampleAsset("dandelion-turned.jpg"),
    secondaryMedia: sampleAsset("bottle.png"),
    logo: sampleAsset("logo.svg"),
  },
  product: { product: sampleAsset("bottle.png"), logo: sampleAsset("logo.svg") },
  person: { person: sampleAsset("figure.png") },
  device: { device: sampleAsset("dandelion-turned.jpg"), logo: sampleAsset("logo.svg") },
  scenery: { background: sampleAsset("dandelion-turned.jpg"), logo: sampleAsset("logo-light.svg") },
  brand: { logo: sampleAsset("logo.svg") },
} satisfies Record<string, PackInputs["assets"]>;

/** A size outside the catalogue. */
export function sizeOf(width: number, height: number, safe: Size["safeArea"] = null): Size {
  const like = SIZES[0];
  if (like === undefined) throw new Error("the catalogue is empty");
  return { ...like, sizeId: `test-${width}x${height}`, group: "test", width, height, safeArea: safe };
}

let shared: Promise<Engine> | null = null;

/** One engine for a test file. */
export function engine(): Promise<Engine> {
  shared ??= loadCodecModules().then(createEngine);
  return shared;
}

/** Prepares a pack; throws if that fails. */
export async function prepared(
  inputs: Partial<PackInputs> & Pick<PackInputs, "assets">,
): Promise<PreparedPack> {
  const whole: PackInputs = { font: null, copy: COPY, brand: {}, ...inputs };
  return unwrap(await preparePack(await engine(), await loadFontSources(), whole));
}

/** The canvas and the report of one size of a pack, not encoded; throws if the size cannot be drawn. */
export function composed(pack: PreparedPack, size: Size): { canvas: Raster; report: LayoutReport } {
  const scene = unwrap(composeScene(pack, { size }));
  const { canvas, hasBorder } = flattenScene(scene, size.needsBorder);
  return { canvas, report: reportOf(pack, scene, hasBorder) };
}

/** A face with this head. */
const faceOf = (head: Box): Face => ({
  head,
  box: {
    x: head.x + head.width * 0.15,
    y: head.y + head.height * 0.28,
    width: head.width * 0.7,
    height: head.height * 0.62,
  },
  score: 0.9,
});

/** A pack whose hero has faces in these heads (fractions of the picture), and no other subject. */
export function withFaces(pack: PreparedPack, heads: readonly Box[]): PreparedPack {
  if (pack.hero === null) return pack;
  const subjects = pack.hero.subjects && { ...pack.hero.subjects, main: null };
  return { ...pack, hero: { ...pack.hero, faces: heads.map(faceOf), subjects } };
}

/** The layout report of a pack's output in one size; throws if it cannot be drawn. */
export function reportAt(pack: PreparedPack, size: Size, copy: Copy = pack.copy): LayoutReport {
  const scene = unwrap(composeScene(pack, { size, copy }));
  const report = reportOf(pack, scene, false);
  releaseScene(scene);
  return report;
}

export const elementOf = ({ elements }: LayoutReport, role: ElementRole): LayoutElement | undefined =>
  elements.find((element) => element.role === role);

/** The box of an element; throws if it is missing. */
export function boxIn(report: LayoutReport, role: ElementRole): Box {
  const found = elementOf(report, role);
  if (found === undefined) throw new Error(`no ${role}`);
  return found.box;
}

/** The boxes of the elements of a pack's output in one size. */
export function boxesAt(pack: PreparedPack, copy: Copy, size: Size): (role: ElementRole) => Box {
  const report = reportAt(pack, size, copy);
  return (role) => boxIn(report, role);
}

/** A digest of pixels: comparing large arrays element by element is slow. */
export function digest(pixels: Uint8ClampedArray): string {
  return createHash("sha256").update(pixels).digest("hex");
}
