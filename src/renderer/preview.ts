import type { Size } from "../contract/catalogue/types.ts";
import type { PreparedPack } from "./compose/prepared.ts";
import { reportOf } from "./compose/report.ts";
import { composeScene, flattenScene } from "./compose/scene.ts";
import { watermark } from "./compose/watermark.ts";
import { encodeStill } from "./encode/index.ts";
import type { Engine } from "./engine.ts";
import { resample } from "./raster/resample.ts";
import { openFontSet } from "./type/index.ts";
import type { BundledFonts, LayoutReport, Raster, Result } from "./types.ts";

/** How a preview is kept from being used as the product. */
export type PreviewProtection = "watermarked-lowres" | "watermarked" | "none";

/** Longest edge of a preview, in pixels. */
export const PREVIEW_EDGE_PX_MAX: Readonly<Record<PreviewProtection, number>> = {
  "watermarked-lowres": 640,
  watermarked: 1_080,
  none: 1_080,
};

/** A PNG of one size, reduced and marked. The layout is that of the full size. */
export interface RenderedPreview {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly layout: LayoutReport;
}

/** Draws one size as the paid output would be, then reduces and marks it; see `Renderer.preview`. */
export async function renderPreview(
  engine: Engine,
  bundled: BundledFonts,
  pack: PreparedPack,
  size: Size,
  protection: PreviewProtection,
): Promise<Result<RenderedPreview>> {
  const scene = composeScene(pack, size);
  if (!scene.ok) return scene;
  const { canvas, hasBorder } = flattenScene(scene.value, size.needsBorder);
  const reduced = reducedTo(canvas, PREVIEW_EDGE_PX_MAX[protection]);
  if (protection !== "none") {
    const fonts = await openFontSet(engine, bundled, null);
    if (!fonts.ok) return fonts;
    watermark(reduced, fonts.value);
    fonts.value.close();
  }
  const encoded = await encodeStill(engine, reduced, "png", null);
  if (!encoded.ok) return encoded;
  return {
    ok: true,
    value: {
      bytes: encoded.value.bytes,
      width: reduced.width,
      height: reduced.height,
      layout: reportOf(pack, scene.value, hasBorder),
    },
  };
}

function reducedTo(canvas: Raster, edgePxMax: number): Raster {
  const scale = edgePxMax / Math.max(canvas.width, canvas.height);
  if (scale >= 1) return canvas;
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  return resample(
    canvas,
    whole,
    Math.max(1, Math.round(canvas.width * scale)),
    Math.max(1, Math.round(canvas.height * scale)),
  );
}
