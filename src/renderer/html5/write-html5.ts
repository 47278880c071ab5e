import { strToU8, zipSync } from "fflate";
import type { Scene } from "../compose/scene.ts";
import type { Encoders } from "../encode/encoders.ts";
import { encodePhoto } from "../encode/index.ts";
import { encodeTransparentPng } from "../encode/png.ts";
import { type MovingPhoto, pictureName } from "../motion/animate.ts";
import type { Timeline } from "../motion/timeline.ts";
import type { Result } from "../types.ts";
import type { PageRules } from "./click-tags.ts";
import { fileOf, isOpaque, pageOf, WORDS_FILE } from "./page.ts";
import { freeLayers, type PageLayer, pageLayersOf } from "./page-layers.ts";
import { wordsSheetOf } from "./words-sheet.ts";

export interface Html5Page {
  /** A ZIP with index.html at its top. */
  readonly bytes: Uint8Array;
  /** Bytes of all its files as they are loaded. */
  readonly loadBytes: number;
  readonly files: number;
  /** Whether pictures were compressed harder than preferred. */
  readonly reduced: boolean;
}

/** What a banner is written from besides its scene. */
export interface Html5Request {
  readonly photos: readonly (MovingPhoto | null)[];
  readonly hasBorder: boolean;
  readonly plays: number;
  readonly rules: PageRules;
  /** Of all files together; null for none. */
  readonly byteCap: number | null;
}

/**
 * Writes a scene as an HTML5 banner: layers as JPEG and PNG, words as outlines in SVG, motion in CSS. Pictures stay still where
 * moving ones would be compressed harder than preferred. Fails with BYTE_CAP_UNREACHABLE.
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
  { photos, byteCap, ...page }: Html5Request,
): Promise<Result<Html5Page>> {
  const layers = pageLayersOf(scene, timeline, photos);
  const { svg, words } = wordsSheetOf(scene.textLayers, timeline);
  const index = pageOf(scene, timeline, { ...page, layers, words });
  const texts = { "index.html": index, ...(words.length > 0 && { [WORDS_FILE]: svg }), ...page.rules.files };
  const written = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)]));
  const pictures = await encodeLayers(encoders, layers, (byteCap ?? Infinity) - bytesOf(written));
  freeLayers(layers);
  if (!pictures.ok) return pictures;
  const files = { ...written, ...pictures.value.files };
  // The earliest time that a ZIP can have, so that the same page is the same file.
  const bytes = zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) });
  const { reduced } = pictures.value;
  return { ok: true, value: { bytes, loadBytes: bytesOf(files), files: Object.keys(files).length, reduced } };
}

/** Of photos where all fit: better than a still's, because a banner's motion and outlines take few bytes of the same cap. */
const PHOTO_QUALITY = 97;

interface EncodedLayers {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly reduced: boolean;
}

/** Transparent layers without loss, then the photos: as well as preferred where all fit, else each in its share of what is left. */
async function encodeLayers(
  encoders: Encoders,
  layers: readonly PageLayer[],
  bytesMax: number,
): Promise<Result<EncodedLayers>> {
  const transparent = layers.filter((layer) => !isOpaque(layer));
  const files = Object.fromEntries(
    transparent.map((layer) => [fileOf(layer), encodeTransparentPng(layer.raster)]),
  );
  const left = Math.max(0, bytesMax - bytesOf(files));
  const photos = layers.filter(isOpaque);
  const encodeWithin = async (capOf: (file: string) => number | null): Promise<Result<EncodedLayers>> => {
    const encoded: Record<string, Uint8Array> = {};
    let reduced = false;
    for (const layer of photos) {
      const file = fileOf(layer);
      const photo = await encodePhoto(encoders, layer.raster, PHOTO_QUALITY, capOf(file));
      if (!photo.ok) return photo;
      encoded[file] = photo.value.bytes;
      reduced ||= photo.value.reduced;
    }
    return { ok: true, value: { files: { ...files, ...encoded }, reduced } };
  };
  const preferred = await encodeWithin(() => null);
  if (!preferred.ok) return preferred;
  const wanted = preferred.value.files;
  const total = bytesOf(wanted) - bytesOf(files);
  if (total <= left) return preferred;
  return encodeWithin((file) => Math.floor((left * (wanted[file]?.length ?? 0)) / total));
}

const bytesOf = (files: Readonly<Record<string, Uint8Array>>): number =>
  Object.values(files).reduce((sum, { length }) => sum + length, 0);
