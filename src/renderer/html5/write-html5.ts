import { strToU8, zipSync } from "fflate";
import { BORDER, BORDER_OPACITY } from "../compose/display-border.ts";
import type { Scene } from "../compose/scene.ts";
import type { Encoders } from "../encode/encoders.ts";
import { encodePhoto, encodeStill } from "../encode/index.ts";
import { isFromRight, type MovingPhoto } from "../motion/animate.ts";
import { partName } from "../motion/choreography.ts";
import type { Timeline } from "../motion/timeline.ts";
import type { Box, Raster, Result } from "../types.ts";
import { motionRules, short } from "./css.ts";
import { freeLayers, type PageLayer, pageLayersOf } from "./page-layers.ts";
import { groupOf } from "./svg.ts";

/** The parts of a page that a network sets. */
export interface PageRules {
  /** Put into the head: the network's library, and the click tag. */
  readonly head: string;
  /** The address of the link that covers the page. */
  readonly href: string;
  /** Files beside the page, by name. */
  readonly files: Readonly<Record<string, string>>;
}

export interface Html5Page {
  /** A ZIP with index.html at its top. */
  readonly bytes: Uint8Array;
  /** Bytes of all its files as they are loaded. */
  readonly loadBytes: number;
  readonly files: number;
  /** Whether pictures were compressed harder than preferred. */
  readonly reduced: boolean;
}

/**
 * Writes a scene as an HTML5 banner: layers as JPEG and PNG, words as outlines in SVG, motion in CSS. All files together keep
 * the cap. Fails with BYTE_CAP_UNREACHABLE.
 */
export async function writeHtml5(
  encoders: Encoders,
  scene: Scene,
  timeline: Timeline,
  photos: readonly (MovingPhoto | null)[],
  hasBorder: boolean,
  plays: number,
  rules: PageRules,
  byteCap: number | null,
): Promise<Result<Html5Page>> {
  const layers = pageLayersOf(scene, timeline, photos);
  const html = pageOf(scene, timeline, layers, hasBorder, plays, rules);
  const texts = { "index.html": html, ...rules.files };
  const textBytes = Object.values(texts).reduce((sum, text) => sum + strToU8(text).length, 0);
  const pictures = await encodeLayers(encoders, layers, byteCap === null ? null : byteCap - textBytes);
  freeLayers(layers);
  if (!pictures.ok) return pictures;
  const { files, reduced } = pictures.value;
  const all = {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)])),
    ...files,
  };
  const loadBytes = Object.values(all).reduce((sum, { length }) => sum + length, 0);
  // The earliest time that a ZIP can tell, so that the same page is the same file.
  const bytes = zipSync(all, { level: 9, mtime: new Date(1980, 0, 1) });
  return { ok: true, value: { bytes, loadBytes, files: Object.keys(all).length, reduced } };
}

const BORDER_STYLE = `rgba(${BORDER.r},${BORDER.g},${BORDER.b},${short(BORDER_OPACITY / 255)})`;

const colourFile = (at: number, { isFlat }: PageLayer): string => `layer-${at}.${isFlat ? "png" : "jpg"}`;
const coverageFile = (at: number): string => `mask-${at}.png`;

/** Of photos where all fit: better than a still's, because a banner's motion and outlines take few bytes of the same cap. */
const PHOTO_QUALITY = 97;

interface EncodedLayers {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly reduced: boolean;
}

/** Masks and flat layers as they are, and then the photos: as well as preferred where all fit, else each in its share of what is left. */
async function encodeLayers(
  encoders: Encoders,
  layers: readonly PageLayer[],
  bytesMax: number | null,
): Promise<Result<EncodedLayers>> {
  const files: Record<string, Uint8Array> = {};
  let left = bytesMax ?? Number.POSITIVE_INFINITY;
  let reduced = false;
  const write = async (name: string, raster: Raster, format: "png" | "jpg", cap: number | null) => {
    const still =
      format === "jpg"
        ? await encodePhoto(encoders, raster, PHOTO_QUALITY, cap)
        : await encodeStill(encoders, raster, format, cap);
    if (!still.ok) return still;
    files[name] = still.value.bytes;
    reduced ||= still.value.reduced;
    return null;
  };
  for (const [at, layer] of layers.entries()) {
    const failure =
      (layer.coverage === null ? null : await write(coverageFile(at), layer.coverage, "png", null)) ??
      (layer.isFlat ? await write(colourFile(at, layer), layer.colours, "png", null) : null);
    if (failure !== null) return failure;
  }
  left -= bytesOf(files);
  const lossy = [...layers.entries()].filter(([, { isFlat }]) => !isFlat);
  for (const [at, layer] of lossy) {
    const failure = await write(colourFile(at, layer), layer.colours, "jpg", null);
    if (failure !== null) return failure;
  }
  const wanted = lossy.map(([at, layer]) => files[colourFile(at, layer)]?.length ?? 0);
  const total = wanted.reduce((sum, one) => sum + one, 0);
  if (total > left) {
    for (const [index, [at, layer]] of lossy.entries()) {
      const share = Math.floor((Math.max(0, left) * (wanted[index] ?? 0)) / total);
      const failure = await write(colourFile(at, layer), layer.colours, "jpg", share);
      if (failure !== null) return failure;
    }
  }
  return { ok: true, value: { files, reduced } };
}

const bytesOf = (files: Readonly<Record<string, Uint8Array>>): number =>
  Object.values(files).reduce((sum, { length }) => sum + length, 0);

function pageOf(
  scene: Scene,
  timeline: Timeline,
  layers: readonly PageLayer[],
  hasBorder: boolean,
  plays: number,
  { head, href }: PageRules,
): string {
  const { width, height } = scene.brief;
  const fromRight = isFromRight(scene);
  const styles: string[] = [
    `html,body{margin:0}#ad{position:relative;width:${width}px;height:${height}px;overflow:hidden}`,
    "#ad>*{position:absolute;display:block}svg{overflow:visible}",
    `#click{inset:0;z-index:1${hasBorder ? `;box-shadow:inset 0 0 0 ${scene.brief.pixelScale}px ${BORDER_STYLE}` : ""}}`,
  ];
  const move = (layer: string, id: string, box: Box): void => {
    styles.push(motionRules(timeline, layer, `#${id}`, `m-${id}`, box, plays, fromRight));
  };
  const body: string[] = [];
  for (const [at, layer] of layers.entries()) {
    const id = `layer-${at}`;
    const { box, window } = layer;
    const frame = window ?? box;
    const place = `left:${frame.x}px;top:${frame.y}px;width:${frame.width}px;height:${frame.height}px`;
    styles.push(`#frame-${at}{${place}${window === null ? "" : ";overflow:hidden"}}`);
    // In a window the picture lies as far out as it is larger, and scales about the window's middle.
    const inside = { x: box.x - frame.x, y: box.y - frame.y, width: box.width, height: box.height };
    if (layer.layer !== null)
      move(layer.layer, id, { x: -inside.x, y: -inside.y, width: frame.width, height: frame.height });
    body.push(`<div id="frame-${at}">${pictureOf(at, id, layer, inside)}</div>`);
  }
  const groups = scene.textLayers.map((layer, at) => {
    const id = `words-${at}`;
    move(layer.role, id, layer.box);
    layer.parts.forEach((_, part) => {
      move(partName(layer.role, part), `${id}-${part}`, layer.box);
    });
    return groupOf(layer, id);
  });
  styles.push("@media (prefers-reduced-motion:reduce){*{animation:none!important}}");
  return [
    "<!DOCTYPE html>",
    `<html><head><meta charset="utf-8"><meta name="ad.size" content="width=${width},height=${height}">`,
    `<style>${styles.filter((rule) => rule !== "").join("\n")}</style>`,
    head,
    `</head><body><div id="ad">`,
    ...body,
    `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${groups.join("")}</svg>`,
    `<a id="click" href="${href}" aria-label="${labelOf(scene)}"></a>`,
    "</div></body></html>",
    "",
  ].join("\n");
}

function pictureOf(at: number, id: string, layer: PageLayer, { x, y, width, height }: Box): string {
  const file = colourFile(at, layer);
  if (layer.coverage === null) {
    const offset =
      x === 0 && y === 0 ? "" : ` style="position:absolute;left:${short(x)}px;top:${short(y)}px"`;
    return `<img id="${id}" src="${file}" width="${width}" height="${height}" alt=""${offset}>`;
  }
  // A mask by address would be refused in a page that is opened from a disk; one inside of the page is not.
  const size = `width="${width}" height="${height}"`;
  const mask = `<mask id="mask-${at}"><image href="${coverageFile(at)}" ${size}/></mask>`;
  return `<svg id="${id}" ${size}>${mask}<image href="${file}" ${size} mask="url(#mask-${at})"/></svg>`;
}

/** The headline and the button's words, for readers of the page. */
const labelOf = ({ brief: { copy } }: Scene): string =>
  escaped([copy.headline, copy.cta].filter(Boolean).join(" – "));

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
