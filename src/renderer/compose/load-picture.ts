import type { DecodedImage } from "../decode/index.ts";
import type { Engine } from "../engine.ts";
import { readCutOut } from "../focus/alpha-extent.ts";
import { focalPointOf } from "../focus/focal-point.ts";
import { knockOut } from "../focus/white-background.ts";
import { focusedOn, thingOnPlainGround } from "../focus/plain-background.ts";
import { importanceOf } from "../focus/saliency.ts";
import { Pyramid } from "../raster/pyramid.ts";
import type { Adjustment, ElementRole, PackAsset, Raster, Result, VisualSlot } from "../types.ts";
import { COMPOSE_LIMITS } from "./limits.ts";
import { loadRendition } from "./load-rendition.ts";
import type { Picture } from "./prepared-pack.ts";

export interface LoadedPicture {
  readonly picture: Picture;
  readonly adjustment: Adjustment | null;
}

/** Decodes a picture in at most `pixelsMax` pixels, and reads what matters in it. */
export async function loadPicture(
  engine: Engine,
  slot: VisualSlot,
  asset: PackAsset,
  pixelsMax: number,
): Promise<Result<LoadedPicture>> {
  const loaded = await loadRendition(engine, slot, asset, pixelsMax);
  if (!loaded.ok) return loaded;
  const { raster: kept, sourceWidth, sourceHeight, profile } = loaded.value;
  const cutOut = readCutOut(kept);
  if (cutOut.bounds === null) {
    return {
      ok: false,
      code: "ASSET_EMPTY",
      message: `The ${slot} picture is wholly transparent; upload one that shows something.`,
    };
  }
  const pyramid = new Pyramid(kept, engine.resampler);
  const thumbnail = thumbnailOf(pyramid);
  const thing = cutOut.isCutOut ? null : thingOnPlainGround(thumbnail);
  const seen = importanceOf(thumbnail);
  const importance = thing === null ? seen : focusedOn(seen, thing);
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
        thing,
        focalPoint: focalPointOf(importance),
      },
      adjustment: approximationOf(slot, profile),
    },
  };
}

/** What is reported of a picture whose colours are not followed exactly; null of every other. */
export const approximationOf = (slot: VisualSlot, profile: DecodedImage["profile"]): Adjustment | null =>
  profile === "approximated"
    ? {
        code: "profile_approximated",
        element: roleOf(slot),
        message: `The colours of the ${slot} picture are approximated: its colour profile is missing, damaged, or of a kind that is not followed. Export it in sRGB.`,
      }
    : null;

/** The picture's thing taken off its white ground, to stand on a light surface; null when its ground is another. */
export function takenOffGround(picture: Picture): Picture | null {
  if (picture.thing === null) return null;
  const { base, resampler } = picture.pyramid;
  const knocked = knockOut(base);
  if (knocked === null) return null;
  const { bounds } = readCutOut(knocked.raster);
  if (bounds === null) return null;
  const { hasOwnShadow } = knocked;
  const pyramid = new Pyramid(knocked.raster, resampler);
  return { ...picture, pyramid, bounds, isCutOut: true, thing: null, hasOwnShadow };
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
