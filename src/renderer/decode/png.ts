import { Unzlib } from "fflate";
import { joinBytes } from "../join-bytes.ts";
import type { Raster, Result } from "../types.ts";
import { unreadable } from "./failure.ts";
import type { Wanted } from "./index.ts";
import { ICC_BYTES_MAX, INFLATE_STEP_BYTES } from "./limits.ts";
import type { PngStructure } from "./png-chunks.ts";
import { type Pass, passesOf, unfilterRow } from "./png-rows.ts";
import { bitsPerPixel, rowExpander } from "./png-samples.ts";
import { createShrinker, shrinkFactor } from "./shrink.ts";

/**
 * Decodes a PNG row by row into a raster of about the wanted size, as stored (not turned upright).
 * Holds two rows, the inflater's window and the raster.
 */
export function decodePng(png: PngStructure, wanted: Wanted): Result<Raster> {
  const factor = shrinkFactor(png.width, png.height, wanted);
  const shrinker = createShrinker(png.width, png.height, factor, png.isInterlaced);
  const expand = rowExpander(png);
  const rgba = new Uint8Array(png.width * 4);
  const rows = readRows(png, (row, pass, line) => {
    expand(row, pass.width, rgba);
    shrinker.add(pass.top + line * pass.stepY, rgba, pass.width, pass.left, pass.stepX);
  });
  if (rows === "broken") return unreadable("The PNG's pixel data is damaged. Export the picture again.");
  if (rows === "short") return unreadable("The PNG ends before its last row. Upload the whole file again.");
  const { width, height, pixels, isOpaque } = shrinker.finish();
  return { ok: true, value: { width, height, pixels, alpha: isOpaque ? "opaque" : "straight" } };
}

/** Inflates and unfilters; gives every row of every pass in turn. */
function readRows(
  png: PngStructure,
  take: (row: Uint8Array, pass: Pass, line: number) => void,
): "whole" | "short" | "broken" {
  const passes = passesOf(png.width, png.height, png.isInterlaced);
  const bits = bitsPerPixel(png);
  const pixelBytes = Math.max(1, bits >> 3);
  let passIndex = 0;
  let pass = passes[0];
  let line = 0;
  let filter = -1;
  let filled = 0;
  let row = new Uint8Array(pass === undefined ? 0 : Math.ceil((pass.width * bits) / 8));
  let above = new Uint8Array(row.length);
  let isBroken = false;

  const consume = (chunk: Uint8Array): void => {
    let at = 0;
    while (at < chunk.length && pass !== undefined && !isBroken) {
      if (filter < 0) {
        filter = chunk[at++] ?? 0;
        continue;
      }
      const taken = Math.min(chunk.length - at, row.length - filled);
      row.set(chunk.subarray(at, at + taken), filled);
      at += taken;
      filled += taken;
      if (filled < row.length) return;
      if (!unfilterRow(filter, row, above, pixelBytes)) {
        isBroken = true;
        return;
      }
      take(row, pass, line);
      [row, above] = [above, row];
      filter = -1;
      filled = 0;
      line += 1;
      if (line < pass.height) continue;
      passIndex += 1;
      pass = passes[passIndex];
      line = 0;
      row = new Uint8Array(pass === undefined ? 0 : Math.ceil((pass.width * bits) / 8));
      above = new Uint8Array(row.length);
    }
  };

  const inflater = new Unzlib(consume);
  try {
    for (const part of png.compressed) {
      for (let at = 0; at < part.length && pass !== undefined && !isBroken; at += INFLATE_STEP_BYTES) {
        inflater.push(part.subarray(at, at + INFLATE_STEP_BYTES), false);
      }
    }
    // The inflater holds back what it has until it is told that no more comes.
    if (pass !== undefined && !isBroken) inflater.push(new Uint8Array(0), true);
  } catch {
    return pass === undefined ? "whole" : "broken";
  }
  if (isBroken) return "broken";
  return pass === undefined ? "whole" : "short";
}

/** Inflates the ICC profile of a PNG; empty when it is damaged or larger than any profile. Null without one. */
export function pngProfile(png: PngStructure): Uint8Array | null {
  if (png.icc === null) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  const inflater = new Unzlib((chunk) => {
    parts.push(chunk);
    length += chunk.length;
  });
  try {
    for (let at = 0; at < png.icc.length && length <= ICC_BYTES_MAX; at += INFLATE_STEP_BYTES) {
      inflater.push(png.icc.subarray(at, at + INFLATE_STEP_BYTES), false);
    }
    if (length <= ICC_BYTES_MAX) inflater.push(new Uint8Array(0), true);
  } catch {
    return new Uint8Array(0);
  }
  return length > ICC_BYTES_MAX ? new Uint8Array(0) : joinBytes(parts);
}
