import type { DecodedImage } from "../decode/index.ts";
import type { Engine } from "../engine.ts";
import { findFaces } from "../faces/find-faces.ts";
import { measureAlpha } from "../focus/alpha-extent.ts";
import { focalPointOf } from "../focus/focal-point.ts";
import { emphasiseSubject, findSubjectOnPlainBackground } from "../focus/plain-background.ts";
import { saliencyMapOf } from "../focus/saliency.ts";
import { removeWhiteBackground } from "../focus/white-background.ts";
import { Pyramid } from "../raster/pyramid.ts";
import { calmMapOf } from "../subjects/calm.ts";
import { findSubject } from "../subjects/find-subject.ts";
import { CERTAIN_MIN, type SubjectMap } from "../subjects/subject-map.ts";
import {
  type Adjustment,
  type Box,
  type ElementRole,
  type Face,
  failure,
  type PackAsset,
  type Raster,
  type Result,
  type SourceRaster,
  type VisualSlot,
} from "../types.ts";
import { COMPOSE_LIMITS } from "./limits.ts";
import { loadRendition } from "./load-rendition.ts";
import type { Picture } from "./prepared-pack.ts";

export interface LoadedPicture {
  readonly picture: Picture;
  readonly adjustment: Adjustment | null;
}

/** Decodes a picture to at most `pixelsMax` pixels, and finds its subject. */
export async function loadPicture(
  engine: Engine,
  slot: VisualSlot,
  asset: PackAsset,
  pixelsMax: number,
): Promise<Result<LoadedPicture>> {
  const loaded = await loadRendition(engine, slot, asset, pixelsMax);
  if (!loaded.ok) return loaded;
  const { raster: kept, sourceWidth, sourceHeight, profile } = loaded.value;
  const alpha = measureAlpha(kept);
  if (alpha.bounds === null) {
    return failure(
      "ASSET_EMPTY",
      `The ${slot} picture is wholly transparent; upload one with visible pixels.`,
    );
  }
  const pyramid = new Pyramid(kept, engine.resampler);
  const thumbnail = thumbnailOf(pyramid);
  const subjectBox = alpha.isCutOut ? null : findSubjectOnPlainBackground(thumbnail);
  const faces = mayShowPeople(slot, subjectBox) ? await facesIn(engine, pyramid) : [];
  const seen = saliencyMapOf(thumbnail, faces);
  const subjects = alpha.isCutOut ? null : subjectsOf(slot, findSubject(thumbnail, faces, subjectBox));
  const saliency = subjectBox === null ? seen : emphasiseSubject(seen, subjectBox);
  return {
    ok: true,
    value: {
      picture: {
        slot,
        pyramid,
        sourceWidth,
        sourceHeight,
        isCutOut: alpha.isCutOut,
        bounds: alpha.bounds,
        saliency,
        subjectBox,
        subjects,
        calm: subjects === null ? null : calmMapOf(thumbnailOf(pyramid, COMPOSE_LIMITS.calmEdgePx), subjects),
        focalPoint: focalPointOf(saliency),
        faces,
      },
      adjustment: approximationOf(slot, profile),
    },
  };
}

/** In a `background`, an uncertain subject counts as part of the view. */
function subjectsOf(slot: VisualSlot, map: SubjectMap): SubjectMap {
  const isView = slot === "background" && (map.main?.certainty ?? 0) < CERTAIN_MIN;
  return isView ? { ...map, main: null } : map;
}

/**
 * Whether faces in a picture may be people. On a device's screen, or on a product with a plain background, a face is
 * part of the object.
 */
const mayShowPeople = (slot: VisualSlot, subjectBox: Box | null): boolean =>
  slot !== "device" && (slot !== "product" || subjectBox === null);

async function facesIn(engine: Engine, pyramid: Pyramid): Promise<readonly Face[]> {
  const faces = await engine.useFaceDetector((detector) => findFaces(detector, pyramid));
  if (faces === null) throw new Error("the face detector trapped: a bug, because no pixels should cause it");
  return faces;
}

/** A note if the colours of a picture are approximated, else null. */
export const approximationOf = (slot: VisualSlot, profile: DecodedImage["profile"]): Adjustment | null =>
  profile === "approximated"
    ? {
        code: "profile_approximated",
        element: roleOf(slot),
        message: `The colours of the ${slot} picture are approximated: its colour profile is missing, damaged or unsupported. Export it in sRGB.`,
      }
    : null;

/** The picture's product without its white background; null when the background is not white. */
export function withoutWhiteBackground(picture: Picture): Picture | null {
  const { base, resampler } = picture.pyramid;
  const freed = removeWhiteBackground(rgbaOf(base));
  if (freed === null) return null;
  const { raster, bounds, hasOwnShadow } = freed;
  const pyramid = new Pyramid(raster, resampler);
  const saliency = saliencyOfShape(thumbnailOf(pyramid));
  return {
    ...picture,
    pyramid,
    bounds,
    saliency,
    isCutOut: true,
    subjectBox: null,
    subjects: null,
    calm: null,
    hasOwnShadow,
  };
}

/** The pixels of a product, which are in RGBA (`load-rendition.ts`). */
export function rgbaOf(base: SourceRaster): Raster {
  if ("rgb" in base) throw new Error("a product is kept in RGBA");
  return base;
}

/** The saliency of a translucent cut-out: every visible part counts. */
function saliencyOfShape(thumbnail: Raster): Picture["saliency"] {
  const map = saliencyMapOf(thumbnail);
  const isSeen = (at: number): boolean => (thumbnail.pixels[at * 4 + 3] ?? 0) >= SEEN_ALPHA_MIN;
  return {
    ...map,
    values: map.values.map((value, at) => (isSeen(at) ? Math.max(value, SHAPE_SALIENCY) : 0)),
  };
}

const SEEN_ALPHA_MIN = 14;
const SHAPE_SALIENCY = 0.3;

/** The picture reduced to a small longest edge, to read colours and focal points. */
export function thumbnailOf(pyramid: Pyramid, edgePx: number = COMPOSE_LIMITS.thumbnailEdgePx): Raster {
  const { base } = pyramid;
  const scale = Math.min(1, edgePx / Math.max(base.width, base.height));
  const width = Math.max(1, Math.round(base.width * scale));
  const height = Math.max(1, Math.round(base.height * scale));
  return pyramid.draw({ x: 0, y: 0, width: base.width, height: base.height }, width, height);
}

const ROLES: Partial<Record<VisualSlot, ElementRole>> = {
  secondaryMedia: "secondary_hero",
  background: "background",
  logo: "logo",
};

export const roleOf = (slot: VisualSlot): ElementRole => ROLES[slot] ?? "hero";
