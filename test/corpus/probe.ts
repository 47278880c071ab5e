import { createHash } from "node:crypto";
import { loadLogo } from "#renderer/compose/load-logo.ts";
import { decodeImage } from "#renderer/decode/index.ts";
import { inspect } from "#renderer/decode/inspect.ts";
import type { Engine } from "#renderer/engine.ts";
import { rasteriseSvg, readSvg } from "#renderer/svg/index.ts";
import {
  type FontSources,
  fitText,
  missingCharacters,
  openFontSet,
  paintText,
} from "#renderer/type/index.ts";
import { type Kind, MIME_TYPES } from "./kinds.ts";

/** Results of `inspect` and of the decoder for a file, and a hash of the drawn pixels. */
export interface Probed {
  readonly outcome: string;
  readonly hash: string | null;
}

export interface ProbeTools {
  readonly engine: Engine;
  readonly fonts: FontSources;
}

const WANTED = { width: 48, height: 32 };
/** Large enough that all scans of a JPEG are read; a small picture skips some. */
const WANTED_OF_SCANS = { width: 1_500, height: 1_100 };
/** Mutations are drawn small: they test faults, not costs. */
const SVG_EDGE_PX = 96;
const COPY = "Boxes 0129 Ålfjord — office كتاب";

const hashOf = (bytes: Uint8Array | Uint8ClampedArray): string =>
  createHash("sha256").update(bytes).digest("hex");

/**
 * Passes a file to everything that reads its kind. A decoder must be safe even for a file that `inspect` rejects.
 * `isFullSize` draws an SVG or JPEG at the size of a render. Throws any exception that a reader lets escape.
 */
export async function probe(
  tools: ProbeTools,
  kind: Kind,
  bytes: Uint8Array,
  isFullSize: boolean,
): Promise<Probed> {
  const inspected = inspect(bytes, MIME_TYPES[kind]);
  const seen = inspected.ok ? "taken" : inspected.code;
  const drawn = await draw(tools, kind, bytes, isFullSize);
  return { outcome: `${seen}/${drawn.outcome}`, hash: drawn.hash };
}

function draw(tools: ProbeTools, kind: Kind, bytes: Uint8Array, isFullSize: boolean): Promise<Probed> {
  switch (kind) {
    case "png":
      return drawPicture(tools, bytes, "image/png");
    case "jpeg":
      return drawPicture(tools, bytes, "image/jpeg", isFullSize ? WANTED_OF_SCANS : WANTED);
    case "webp":
      return drawPicture(tools, bytes, "image/webp");
    case "svg":
      return isFullSize ? drawLogo(tools, bytes) : drawSvg(tools, bytes);
    case "otf":
    case "ttf":
      return drawText(tools, bytes);
  }
}

async function drawPicture(
  { engine }: ProbeTools,
  bytes: Uint8Array,
  mimeType: "image/png" | "image/jpeg" | "image/webp",
  wanted = WANTED,
): Promise<Probed> {
  const decoded = await decodeImage(engine, bytes, mimeType, wanted);
  if (!decoded.ok) return { outcome: decoded.code, hash: null };
  return { outcome: "drawn", hash: hashOf(decoded.value.raster.pixels) };
}

async function drawSvg({ engine }: ProbeTools, bytes: Uint8Array): Promise<Probed> {
  const svg = readSvg(bytes);
  if (!svg.ok) return { outcome: svg.code, hash: null };
  const drawn = await rasteriseSvg(engine, svg.value, SVG_EDGE_PX, SVG_EDGE_PX);
  return drawn.ok
    ? { outcome: "drawn", hash: hashOf(drawn.value.pixels) }
    : { outcome: drawn.code, hash: null };
}

async function drawLogo({ engine }: ProbeTools, bytes: Uint8Array): Promise<Probed> {
  const logo = await loadLogo(engine, { bytes, mimeType: "image/svg+xml" });
  return { outcome: logo.ok ? "drawn" : logo.code, hash: null };
}

async function drawText({ engine, fonts }: ProbeTools, bytes: Uint8Array): Promise<Probed> {
  const opened = await openFontSet(engine, fonts, bytes);
  if (!opened.ok) return { outcome: opened.code, hash: null };
  try {
    missingCharacters(opened.value, COPY);
    const text = fitText(opened.value, {
      text: COPY,
      weight: "bold",
      widthPx: 300,
      heightPx: 120,
      fontSizePxMax: 40,
      fontSizePxMin: 10,
      linesMax: 3,
      lineHeight: 1.1,
      align: "start",
    });
    if (text === null) return { outcome: opened.value.failure?.code ?? "does not fit", hash: null };
    return { outcome: "drawn", hash: hashOf(paintText(text, 0, 0, 300, 120).coverage) };
  } finally {
    opened.value.close();
  }
}
