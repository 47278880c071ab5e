import type { Rejection } from "#api/schemas/asset.ts";
import type { MimeType } from "#api/slots.ts";
import { type Inspection, inspect } from "#renderer/decode/inspect.ts";
import type { SizeExcess } from "#renderer/decode/size-limit.ts";
import type { Renderer } from "#renderer/index.ts";
import type { Asset } from "./asset.ts";
import { findSizeProblem } from "./pixel-rules.ts";

/** A file's upright size (null for fonts), or why it is rejected. */
export type ContentResult =
  | { readonly ok: true; readonly width: number | null; readonly height: number | null }
  | {
      readonly ok: false;
      readonly rejection: Rejection;
      /** Size and limits of a picture with too many pixels. */
      readonly excess?: SizeExcess;
      /** Exception thrown by the inspection: a bug in this service. */
      readonly thrown?: unknown;
    };

type Declared = Pick<Asset, "slotId" | "mimeType" | "width" | "height">;

/** First EXIF orientation that swaps width and height. */
const FIRST_SIDEWAYS_ORIENTATION = 5;

/** Rejects the file, because the same bytes would throw again and the client would retry an open upload forever. */
const NOT_INSPECTED = {
  code: "UNSUPPORTED",
  message:
    "The file could not be inspected. Export it again in its simplest form, or from another program, and upload that.",
} as const;

const reject = (code: Rejection["code"], message: string): ContentResult => ({
  ok: false,
  rejection: { code, message },
});

/** The facts in a file's header. `thrown` is an exception of the inspection, which is a bug in this service. */
export type InspectedContent = { readonly found: Inspection; readonly thrown?: unknown };

/** Inspects a file's header; rejects a file on which the inspection throws. */
export function inspectContent(
  bytes: Uint8Array,
  mimeType: MimeType,
  inspectFile = inspect,
): InspectedContent {
  try {
    return { found: inspectFile(bytes, mimeType) };
  } catch (thrown) {
    return { found: { ok: false, ...NOT_INSPECTED }, thrown };
  }
}

export function validateContent(declared: Declared, bytes: Uint8Array, inspectFile = inspect): ContentResult {
  const { found, thrown } = inspectContent(bytes, declared.mimeType, inspectFile);
  const result = compareWith(declared, found);
  return result.ok || thrown === undefined ? result : { ...result, thrown };
}

/** Draws a logo or sets a font to find failures; see `Renderer`. */
export type DrawCheck = Pick<Renderer, "findFailure">;

/**
 * Validates a file by its content, and a logo or font by drawing it, because most of their flaws show in no header and
 * fail every pack. While a logo is drawn, nothing else may use the renderer.
 */
export async function validateDrawn(
  getRenderer: () => DrawCheck,
  declared: Declared,
  bytes: Uint8Array,
): Promise<ContentResult> {
  const content = validateContent(declared, bytes);
  if (!content.ok || (declared.slotId !== "logo" && declared.slotId !== "font")) return content;
  try {
    const failure = await getRenderer().findFailure(bytes, declared.mimeType);
    if (failure === null) return content;
    return reject(failure.code === "ASSET_EMPTY" ? "EMPTY" : "UNSUPPORTED", failure.message);
  } catch (thrown) {
    return { ok: false, rejection: NOT_INSPECTED, thrown };
  }
}

/**
 * Compares a file's header with what was declared. Clients may measure a picture before or after its EXIF orientation;
 * both are accepted, and the upright size is stored.
 */
function compareWith(declared: Declared, inspected: Inspection): ContentResult {
  if (!inspected.ok) {
    const { code, message, excess } = inspected;
    return { ...reject(code, message), ...(excess && { excess }) };
  }
  const found = inspected.value;
  if (found.kind === "font") return { ok: true, width: null, height: null };
  if (found.kind === "svg")
    return { ok: true, width: wholePixels(found.width), height: wholePixels(found.height) };

  const isSideways = found.orientation >= FIRST_SIDEWAYS_ORIENTATION;
  const width = isSideways ? found.height : found.width;
  const height = isSideways ? found.width : found.height;
  const isUprightMatch = declared.width === width && declared.height === height;
  const isStoredMatch = declared.width === found.width && declared.height === found.height;
  // An import declares no size.
  const isDeclared = declared.width !== null || declared.height !== null;
  if (isDeclared && !isUprightMatch && !isStoredMatch) {
    return reject(
      "DIMENSIONS_DIFFER",
      `The file is ${width}x${height} pixels; the intent says ${declared.width}x${declared.height}.`,
    );
  }
  const problem = findSizeProblem(declared.slotId, "raster", width, height);
  if (problem === null) return { ok: true, width, height };
  return { ok: false, rejection: { code: problem.code, message: problem.message } };
}

/** An SVG's size is in user units, and no pixel rule applies. Null when too large for an integer. */
const wholePixels = (length: number): number | null => {
  const rounded = Math.max(1, Math.round(length));
  return Number.isSafeInteger(rounded) ? rounded : null;
};
