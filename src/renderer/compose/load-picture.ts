import { decodeImage } from "../decode/index.ts";
import { inspect } from "../decode/inspect.ts";
import type { Engine } from "../engine.ts";
import { readCutOut } from "../focus/cut-out.ts";
import { focalPointOf } from "../focus/focal-point.ts";
import { importanceOf } from "../focus/saliency.ts";
import { premultiplied } from "../raster/premultiply.ts";
import { Pyramid } from "../raster/pyramid.ts";
import { resample } from "../raster/resample.ts";
import type {
  Adjustment,
  AssetBytes,
  ElementRole,
  Raster,
  RenderFailure,
  Result,
  VisualSlot,
} from "../types.ts";
import { COMPOSE_LIMITS } from "./limits.ts";
import type { CanvasSize, Picture } from "./prepared.ts";

export interface LoadedPicture {
  readonly picture: Picture;
  readonly adjustment: Adjustment | null;
}

/** Decodes a picture at the largest size that any canvas needs, and reads what matters in it. */
export async function loadPicture(
  engine: Engine,
  slot: VisualSlot,
  asset: AssetBytes,
  sizes: readonly CanvasSize[],
  pixelsMax: number,
): Promise<Result<LoadedPicture>> {
  if (asset.mimeType === "image/svg+xml") return unreadable(slot, "a picture slot takes PNG, JPEG or WebP");
  const header = inspect(asset.bytes, asset.mimeType);
  if (!header.ok) return unreadable(slot, header.message);
  if (header.value.kind !== "raster") return unreadable(slot, "it is not a picture");
  const isTurned = header.value.orientation >= 5;
  const source: CanvasSize = {
    width: isTurned ? header.value.height : header.value.width,
    height: isTurned ? header.value.width : header.value.height,
  };
  const wanted = wantedSize(source, sizes, pixelsMax);
  const decoded = await decodeImage(engine, asset.bytes, asset.mimeType, wanted);
  if (!decoded.ok) return decoded;
  const { raster, sourceWidth, sourceHeight, profile } = decoded.value;
  const kept = shrunkTo(premultiplied(raster), wanted);
  const cutOut = readCutOut(kept);
  if (cutOut.bounds === null) {
    return {
      ok: false,
      code: "ASSET_EMPTY",
      message: `The ${slot} picture is wholly transparent; upload one that shows something.`,
    };
  }
  const pyramid = new Pyramid(kept);
  const importance = importanceOf(thumbnailOf(pyramid));
  return {
    ok: true,
    value: {
      picture: {
        slot,
        pyramid,
        sourceWidth,
        sourceHeight,
        isCutOut: cutOut.isCutOut,
        bounds: cutOut.bounds,
        importance,
        focalPoint: focalPointOf(importance),
      },
      adjustment:
        profile === "approximated"
          ? {
              code: "profile_approximated",
              element: roleOf(slot),
              message: `The colour profile of the ${slot} picture is of a kind that is only approximated; its colours may shift slightly.`,
            }
          : null,
    },
  };
}

/** The picture reduced to a small longest edge, for reading colours and focal points. */
export function thumbnailOf(pyramid: Pyramid, edgePx: number = COMPOSE_LIMITS.thumbnailEdgePx): Raster {
  const { base } = pyramid;
  const scale = Math.min(1, edgePx / Math.max(base.width, base.height));
  const width = Math.max(1, Math.round(base.width * scale));
  const height = Math.max(1, Math.round(base.height * scale));
  return pyramid.draw({ x: 0, y: 0, width: base.width, height: base.height }, width, height);
}

export const roleOf = (slot: VisualSlot): ElementRole =>
  slot === "secondaryMedia"
    ? "secondary_hero"
    : slot === "background"
      ? "background"
      : slot === "logo"
        ? "logo"
        : "hero";

/** Upright pixels to decode: enough to cover the most demanding canvas, within the memory limit. */
function wantedSize(source: CanvasSize, sizes: readonly CanvasSize[], pixelsMax: number): CanvasSize {
  let scale = 0;
  for (const size of sizes) scale = Math.max(scale, size.width / source.width, size.height / source.height);
  const heaviest = Math.sqrt(pixelsMax / (source.width * source.height));
  scale = Math.min(1, scale === 0 ? 1 : scale, heaviest);
  return {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  };
}

/** Decoders give up to twice what was wanted; the rest is memory no canvas needs. */
function shrunkTo(raster: Raster, wanted: CanvasSize): Raster {
  if (raster.width <= wanted.width * 1.15 || raster.height <= wanted.height * 1.15) return raster;
  const whole = { x: 0, y: 0, width: raster.width, height: raster.height };
  return resample(raster, whole, wanted.width, wanted.height);
}

function unreadable(slot: VisualSlot, reason: string): RenderFailure {
  return { ok: false, code: "ASSET_UNREADABLE", message: `The ${slot} picture cannot be read: ${reason}` };
}
