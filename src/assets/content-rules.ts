import type { Rejection } from "../contract/schemas/asset.ts";
import { inspect } from "../renderer/decode/inspect.ts";
import type { Asset } from "./asset.ts";
import { findSizeProblem } from "./pixel-rules.ts";

/** What a file turned out to be: its upright size (null for fonts), or why it is not accepted. */
export type Judgement =
  | { readonly ok: true; readonly width: number | null; readonly height: number | null }
  | { readonly ok: false; readonly rejection: Rejection };

type Declared = Pick<Asset, "slotId" | "mimeType" | "width" | "height">;

/** EXIF orientations from here on lie on their side: upright width is stored height. */
const FIRST_SIDEWAYS_ORIENTATION = 5;

const reject = (code: Rejection["code"], message: string): Judgement => ({
  ok: false,
  rejection: { code, message },
});

/**
 * Holds a file's own header against what was declared. A sender may have measured the picture before or after
 * its EXIF orientation; both are honest, and the upright size is what counts from here on.
 */
export function judgeContent(declared: Declared, bytes: Uint8Array): Judgement {
  const inspected = inspect(bytes, declared.mimeType);
  if (!inspected.ok) return reject(inspected.code, inspected.message);
  const found = inspected.value;
  if (found.kind === "font") return { ok: true, width: null, height: null };
  if (found.kind === "svg")
    return { ok: true, width: wholePixels(found.width), height: wholePixels(found.height) };

  const isSideways = found.orientation >= FIRST_SIDEWAYS_ORIENTATION;
  const width = isSideways ? found.height : found.width;
  const height = isSideways ? found.width : found.height;
  const isUprightMatch = declared.width === width && declared.height === height;
  const isStoredMatch = declared.width === found.width && declared.height === found.height;
  if (!isUprightMatch && !isStoredMatch) {
    return reject(
      "DIMENSIONS_DIFFER",
      `The file is ${width}x${height} pixels; the intent says ${declared.width}x${declared.height}.`,
    );
  }
  const problem = findSizeProblem(declared.slotId, "raster", width, height);
  if (problem === null) return { ok: true, width, height };
  return { ok: false, rejection: { code: problem.code, message: problem.message } };
}

/** An SVG's own size may be any number; one that no integer can hold says nothing. */
const wholePixels = (length: number): number | null => {
  const rounded = Math.max(1, Math.round(length));
  return Number.isSafeInteger(rounded) ? rounded : null;
};
