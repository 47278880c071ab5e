import { type DecodedImage, decodeImage } from "../decode/index.ts";
import type { Engine } from "../engine.ts";
import { drawnBounds, measureAlpha, outlineColours } from "../focus/alpha-extent.ts";
import { innerDetail, logoSymbol } from "../focus/logo-symbol.ts";
import { inset } from "../layout/design/boxes.ts";
import { premultiplied } from "../raster/blend.ts";
import { Pyramid } from "../raster/pyramid.ts";
import { rasteriseSvg, readSvg } from "../svg/index.ts";
import {
  type Adjustment,
  type AssetBytes,
  type Box,
  failure,
  type ImageType,
  type PackAsset,
  type Raster,
  type RenderFailure,
  type Result,
} from "../types.ts";
import { COMPOSE_LIMITS } from "./limits.ts";
import { approximationOf, thumbnailOf } from "./load-picture.ts";
import { inSlot, withBytes } from "./load-rendition.ts";
import { isOneColour } from "./logo-treatment.ts";
import type { Logo } from "./prepared-pack.ts";

export interface LoadedLogo {
  readonly logo: Logo;
  readonly adjustment: Adjustment | null;
}

/**
 * Longest edge of the trial drawing of a logo, which has about a twentieth of the pixels of the logo in a pack
 * (`logoEdgePx`).
 */
const TRIED_EDGE_PX = 256;

/** A shape with a larger fraction of its edges between its own colours would be a blob if drawn in one colour. */
const INNER_DETAIL_MAX = 0.1;
/** Colours read from a logo's rim: enough to decide its visibility, few enough to do so for every output. */
const OUTLINE_COLOURS_MAX = 400;

const TRANSPARENT: RenderFailure = failure(
  "ASSET_EMPTY",
  "The logo is wholly transparent; upload one with visible pixels.",
);

/**
 * The failure that every pack with this logo would have; null if it can be drawn. The logo is first drawn small, and
 * again at a pack's size if nothing is visible, because fine lines vanish in small pictures.
 */
export async function findLogoFailure(
  engine: Engine,
  { bytes, mimeType }: AssetBytes,
): Promise<RenderFailure | null> {
  for (const edge of [TRIED_EDGE_PX, COMPOSE_LIMITS.logoEdgePx]) {
    const read = await readLogo(engine, bytes, mimeType, edge);
    if (!read.ok) return read;
    if (measureAlpha(premultiplied(read.value.raster)).bounds !== null) return null;
  }
  return TRANSPARENT;
}

/** Draws or decodes a logo once and finds its visible bounds. */
export async function loadLogo(engine: Engine, asset: PackAsset): Promise<Result<LoadedLogo>> {
  const loaded = await withBytes(asset, (bytes) =>
    readLogo(engine, bytes, asset.mimeType, COMPOSE_LIMITS.logoEdgePx),
  );
  if (!loaded.ok) return loaded;
  const raster = premultiplied(loaded.value.raster);
  const { bounds, isCutOut } = measureAlpha(raster);
  if (bounds === null) return TRANSPARENT;
  const pyramid = new Pyramid(raster, engine.resampler);
  const thumbnail = thumbnailOf(pyramid, COMPOSE_LIMITS.outlineEdgePx);
  const isFlat = isCutOut && innerDetail(thumbnail) <= INNER_DETAIL_MAX;
  const rim = outlineColours(thumbnail);
  const step = Math.ceil(rim.length / OUTLINE_COLOURS_MAX);
  const outline = rim.filter((_, at) => at % step === 0);
  return {
    ok: true,
    value: {
      logo: {
        pyramid,
        bounds: raster.alpha === "opaque" ? drawnBounds(raster) : bounds,
        isCutOut,
        isVector: asset.mimeType === "image/svg+xml",
        outline,
        isFlat,
        isOneColour: isFlat && isOneColour(outline),
        symbol: isFlat ? symbolIn(raster, thumbnail) : null,
      },
      adjustment: approximationOf("logo", loaded.value.profile),
    },
  };
}

function symbolIn(base: Raster, thumbnail: Raster): Box | null {
  const symbol = logoSymbol(thumbnail);
  if (symbol === null) return null;
  const scale = base.width / thumbnail.width;
  // Include the soft rim that the thumbnail loses.
  const { x, y, width, height } = inset(symbol, -1, -1);
  return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
}

type ReadLogo = Pick<DecodedImage, "raster" | "profile">;

async function readLogo(
  engine: Engine,
  bytes: Uint8Array,
  mimeType: ImageType,
  edge: number,
): Promise<Result<ReadLogo>> {
  if (mimeType !== "image/svg+xml") {
    const decoded = await decodeImage(engine, bytes, mimeType, { width: edge, height: edge });
    return decoded.ok ? decoded : inSlot("logo", decoded);
  }
  const svg = readSvg(bytes);
  if (!svg.ok) return inSlot("logo", svg);
  const { width, height, pixelsMax } = svg.value;
  // An SVG that is expensive to draw is drawn smaller.
  const affordable = Math.sqrt(pixelsMax / (width * height));
  const scale = Math.min(edge / Math.max(width, height), affordable);
  // Rounded down, so that neither edge exceeds the limit.
  const pixels = (side: number): number =>
    Math.max(1, scale < affordable ? Math.round(side * scale) : Math.floor(side * scale));
  const drawn = await rasteriseSvg(engine, svg.value, pixels(width), pixels(height));
  return drawn.ok ? { ok: true, value: { raster: drawn.value, profile: "srgb" } } : inSlot("logo", drawn);
}
