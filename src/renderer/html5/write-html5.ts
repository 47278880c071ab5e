import { strToU8, zipSync } from "fflate";
import type { Scene } from "../compose/scene.ts";
import type { Encoders } from "../encode/encoders.ts";
import { encodePhoto } from "../encode/index.ts";
import { byteCapUnreachable } from "../encode/limits.ts";
import { encodePng, encodeTransparentPng } from "../encode/png.ts";
import type { Mark } from "../mark/test-mark.ts";
import { type MovingPhoto, pictureName } from "../motion/animate.ts";
import type { Timeline } from "../motion/timeline.ts";
import type { Result } from "../types.ts";
import type { PageRules } from "./click-tags.ts";
import { type LayerFile, pageOf, WORDS_FILE } from "./page.ts";
import { freeLayers, type PageLayer, pageLayersOf } from "./page-layers.ts";
import { wordsSheetOf } from "./words-sheet.ts";

export interface Html5Page {
  /** A ZIP with index.html at its root. */
  readonly bytes: Uint8Array;
  /** Total bytes of its files, uncompressed. */
  readonly loadBytes: number;
  readonly files: number;
  /** Whether pictures were compressed harder than preferred. */
  readonly reduced: boolean;
}

/** The inputs of a banner besides its scene. */
export interface Html5Request {
  readonly photos: readonly (MovingPhoto | null)[];
  readonly hasBorder: boolean;
  readonly plays: number;
  readonly rules: PageRules;
  /** Maximum size of all files together, in bytes; null if there is no cap. */
  readonly byteCap: number | null;
  /** Draws the watermark of a test key's banner on each picture. */
  readonly mark: Mark | null;
}

/**
 * Writes a scene as an HTML5 banner: layers as JPEG and PNG, text as outlines in SVG, motion in CSS. Pictures stay
 * still if moving ones would be compressed harder than preferred. Fails with BYTE_CAP_UNREACHABLE.
 */
export async function writeHtml5(
  encoders: Encoders,
  scene: Scene,
  timeline: Timeline,
  request: Html5Request,
): Promise<Result<Html5Page>> {
  const moving = await writePage(encoders, scene, timeline, request);
  if (moving.ok && !moving.value.reduced) return moving;
  const tracks = timeline.tracks.filter(({ layer }) => !layer.startsWith(pictureName("")));
  if (tracks.length === timeline.tracks.length) return moving;
  const still = await writePage(encoders, scene, { ...timeline, tracks }, request);
  return !moving.ok || (still.ok && !still.value.reduced) ? still : moving;
}

async function writePage(
  encoders: Encoders,
  scene: Scene,
  timeline: Timeline,
  request: Html5Request,
): Promise<Result<Html5Page>> {
  const layers = pageLayersOf(scene, timeline, request.photos);
  for (const { raster } of layers) request.mark?.(raster);
  const page = await writeLayers(encoders, scene, timeline, layers, request);
  freeLayers(layers);
  return page;
}

async function writeLayers(
  encoders: Encoders,
  scene: Scene,
  timeline: Timeline,
  layers: readonly PageLayer[],
  request: Html5Request,
): Promise<Result<Html5Page>> {
  const bytesMax = request.byteCap ?? Infinity;
  const lossless = layers.map(encodeLossless);
  const best = await encodePhotos(encoders, lossless, BEST_PHOTO_QUALITY);
  if (!best.ok) return best;
  const bestFiles = { ...textFiles(scene, timeline, best.value, request), ...filesOf(best.value) };
  if (bytesOf(bestFiles) <= bytesMax) return { ok: true, value: zipPage(bestFiles, false) };
  const smaller = await encodePhotos(encoders, lossless, SMALLER_PHOTO_QUALITY);
  if (!smaller.ok) return smaller;
  const texts = textFiles(scene, timeline, smaller.value, request);
  const fitted = await fitPhotos(encoders, smaller.value, bytesMax - bytesOf(texts));
  if (!fitted.ok) return fitted;
  return { ok: true, value: zipPage({ ...texts, ...fitted.value.files }, fitted.value.reduced) };
}

type Files = Readonly<Record<string, Uint8Array>>;

/** All files of the page that are not layers. */
function textFiles(
  scene: Scene,
  timeline: Timeline,
  layers: readonly LayerFile[],
  { byteCap: _byteCap, mark: _mark, ...page }: Html5Request,
): Files {
  const { svg, words } = wordsSheetOf(scene.textLayers, timeline);
  const index = pageOf(scene, timeline, { ...page, layers, words });
  const texts = { "index.html": index, ...(words.length > 0 && { [WORDS_FILE]: svg }), ...page.rules.files };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)]));
}

const filesOf = (layers: readonly LayerFile[]): Files =>
  Object.fromEntries(layers.map(({ name, bytes }) => [name, bytes]));

function zipPage(files: Files, reduced: boolean): Html5Page {
  // The earliest time that a ZIP can store, so that the same page gives the same bytes.
  const bytes = zipSync({ ...files }, { level: 9, mtime: new Date(1980, 0, 1) });
  return { bytes, loadBytes: bytesOf(files), files: Object.keys(files).length, reduced };
}

/**
 * Quality of photos if all files fit: higher than a still's, because motion and outlines leave most of the byte cap to
 * the photos.
 */
const BEST_PHOTO_QUALITY = 100;
/**
 * Quality of photos if they do not fit at the best quality. If the files still do not fit, the photos share the
 * remaining bytes.
 */
const SMALLER_PHOTO_QUALITY = 98;
/**
 * A picture with a smaller PNG than this stays lossless: in the smallest banners JPEG removes the grain from gradients.
 */
const LOSSLESS_BYTES_MAX = 20_000;

interface LosslessLayer {
  readonly layer: PageLayer;
  readonly png: Uint8Array;
}

function encodeLossless(layer: PageLayer): LosslessLayer {
  const { raster } = layer;
  const png = raster.alpha === "opaque" ? encodePng(raster, null).bytes : encodeTransparentPng(raster);
  return { layer, png };
}

/** The layers' files: transparent and small layers as PNG, others as JPEG if smaller. */
async function encodePhotos(
  encoders: Encoders,
  layers: readonly LosslessLayer[],
  quality: number,
): Promise<Result<readonly LayerFile[]>> {
  const files: LayerFile[] = [];
  for (const { layer, png } of layers) {
    const isKept = layer.raster.alpha !== "opaque" || png.length <= LOSSLESS_BYTES_MAX;
    const jpg = isKept ? null : await encodePhoto(encoders, layer.raster, quality, null);
    if (jpg?.ok === false) return jpg;
    const photo = jpg !== null && jpg.value.bytes.length < png.length ? jpg.value.bytes : null;
    files.push({ layer, name: `${layer.name}.${photo === null ? "png" : "jpg"}`, bytes: photo ?? png });
  }
  return { ok: true, value: files };
}

interface FittedLayers {
  readonly files: Files;
  readonly reduced: boolean;
}

/** Keeps the photos if all files fit; otherwise compresses each into its share of the remaining bytes. */
async function fitPhotos(
  encoders: Encoders,
  layers: readonly LayerFile[],
  bytesMax: number,
): Promise<Result<FittedLayers>> {
  const files = { ...filesOf(layers) };
  const photos = layers.filter(({ name }) => name.endsWith(".jpg"));
  const wanted = photos.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const left = Math.max(0, bytesMax - bytesOf(files) + wanted);
  if (wanted <= left && bytesOf(files) <= bytesMax) return { ok: true, value: { files, reduced: false } };
  let reduced = false;
  for (const { name, layer, bytes } of photos) {
    const share = Math.floor((left * bytes.length) / wanted);
    const photo = await encodePhoto(encoders, layer.raster, SMALLER_PHOTO_QUALITY, share);
    if (!photo.ok) return photo;
    files[name] = photo.value.bytes;
    reduced ||= photo.value.reduced;
  }
  const total = bytesOf(files);
  return total <= bytesMax
    ? { ok: true, value: { files, reduced } }
    : byteCapUnreachable(total, bytesMax, "HTML5");
}

const bytesOf = (files: Files): number => Object.values(files).reduce((sum, { length }) => sum + length, 0);
