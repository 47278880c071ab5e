import { unionOf } from "../box-geometry.ts";
import { BORDER, BORDER_OPACITY } from "../compose/display-border.ts";
import type { Scene } from "../compose/scene.ts";
import { isFromRight } from "../motion/animate.ts";
import { type Easing, isAtRest, type Pose, poseAt, type Timeline } from "../motion/timeline.ts";
import type { Box } from "../types.ts";
import type { PageRules } from "./click-tags.ts";
import type { PageLayer } from "./page-layers.ts";
import type { PageWords, WordsImage } from "./words-sheet.ts";

export const WORDS_FILE = "words.svg";

/** A layer as a file of the page. */
export interface LayerFile {
  readonly layer: PageLayer;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The contents of a page. */
export interface Page {
  readonly layers: readonly LayerFile[];
  readonly words: readonly PageWords[];
  readonly hasBorder: boolean;
  readonly plays: number;
  readonly rules: PageRules;
}

/** The HTML of an element and the CSS of its place and motion, one line each. */
interface Element {
  readonly lines: readonly string[];
  readonly styles: readonly string[];
}

/** index.html: pictures and text as absolutely positioned images, and a link over all of them. */
export function pageOf(scene: Scene, timeline: Timeline, page: Page): string {
  const { layers, words, hasBorder, plays, rules } = page;
  const { width, height, pixelScale, copy } = scene.brief;
  const elements = [
    ...layers.map((layer) => pictureElement(scene, timeline, layer)),
    ...words.map((one) => wordsElement(scene, timeline, one)),
  ];
  const seconds = short(timeline.durationMs / 1000);
  const label = escaped([copy.headline, copy.cta].filter(Boolean).join(" – "));
  const border = `; box-shadow: inset 0 0 0 ${pixelScale}px ${BORDER_STYLE}`;
  return [
    "<!DOCTYPE html>",
    "<html>",
    "<head>",
    '<meta charset="utf-8">',
    `<meta name="ad.size" content="width=${width},height=${height}">`,
    ...rules.head,
    "<style>",
    "html, body { margin: 0 }",
    `#ad { position: relative; width: ${width}px; height: ${height}px; overflow: hidden }`,
    "#ad * { position: absolute; display: block }",
    `#click { inset: 0${hasBorder ? border : ""} }`,
    `.words { object-fit: none } /* shows its part of ${WORDS_FILE} */`,
    "",
    `/* Every animation lasts ${seconds} s, plays ${plays} times and stays on its last frame. */`,
    `#ad * { animation: ${seconds}s linear ${plays} both }`,
    ...elements.flatMap(({ styles }) => styles),
    "@media (prefers-reduced-motion: reduce) { #ad * { animation: none } }",
    "</style>",
    "</head>",
    "<body>",
    '<div id="ad">',
    ...elements.flatMap(({ lines }) => lines.map((line) => `  ${line}`)),
    `  <a id="click" href="${escaped(rules.href)}" aria-label="${label}"></a>`,
    "</div>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** A number to three decimals, in as few characters as possible. */
const short = (value: number): string => String(Math.round(value * 1000) / 1000);

const BORDER_STYLE = `rgba(${BORDER.r}, ${BORDER.g}, ${BORDER.b}, ${short(BORDER_OPACITY / 255)})`;

function pictureElement(scene: Scene, timeline: Timeline, { layer, name: file }: LayerFile): Element {
  const { name: id, box, window } = layer;
  const frame = window ?? box;
  const motion =
    layer.layer === null ? [] : motionOf(scene, timeline, id, layer.layer, { of: frame, in: box });
  const { width, height } = box;
  const image = (inside: Point) =>
    `<img id="${id}" src="${file}" width="${width}" height="${height}" style="${placeOf(box, inside)}" alt="">`;
  return {
    lines:
      window === null
        ? [image(ORIGIN)]
        : [`<div style="${sizedPlace(frame)}; overflow: hidden">`, `  ${image(frame)}`, "</div>"],
    styles: motion,
  };
}

/** Text that moves as a whole is one image. Text in several images, such as lines, can also move together in a box. */
function wordsElement(
  scene: Scene,
  timeline: Timeline,
  { layer: { role, box }, images }: PageWords,
): Element {
  const [only] = images;
  if (only === undefined) return { lines: [], styles: [] };
  const motionOfImage = ({ name, layer, box: own }: WordsImage) =>
    motionOf(scene, timeline, name, layer, { of: box, in: own });
  const styles = images.flatMap(motionOfImage);
  if (only.name === role) return { lines: [wordsImage(only, ORIGIN)], styles };
  const around = unionOf(images.map((image) => image.box));
  return {
    lines: [
      `<div id="${role}" style="${sizedPlace(around)}">`,
      ...images.map((image) => `  ${wordsImage(image, around)}`),
      "</div>",
    ],
    styles: [...motionOf(scene, timeline, role, role, { of: box, in: around }), ...styles],
  };
}

const wordsImage = ({ name, box, sheetY }: WordsImage, inside: Point): string =>
  `<img id="${name}" class="words" src="${WORDS_FILE}" width="${box.width}" height="${box.height}" ` +
  `style="${placeOf(box, inside)}; object-position: 0 ${-sheetY}px" alt="">`;

/** The motion of an element that fills the box `in`, scaled about the centre of the box `of`. */
function motionOf(
  scene: Scene,
  timeline: Timeline,
  id: string,
  layer: string,
  boxes: { readonly of: Box; readonly in: Box },
): readonly string[] {
  const { of, in: own } = boxes;
  const middle = { x: of.x + of.width / 2 - own.x, y: of.y + of.height / 2 - own.y };
  return motionRules(timeline, { id, layer, middle }, isFromRight(scene));
}

type Point = Pick<Box, "x" | "y">;

const ORIGIN: Point = { x: 0, y: 0 };

const placeOf = ({ x, y }: Box, inside: Point): string => `left: ${x - inside.x}px; top: ${y - inside.y}px`;

const sizedPlace = (box: Box): string =>
  `${placeOf(box, ORIGIN)}; width: ${box.width}px; height: ${box.height}px`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The easings in CSS. They are exact: cubic Bézier curves with control points at thirds of the time. */
const EASINGS: Readonly<Record<Easing, string>> = {
  "in-out": "cubic-bezier(.3333, 0, .6667, 1)",
  out: "cubic-bezier(.3333, 1, .6667, 1)",
  over: "cubic-bezier(.3333, 1.5672, .6667, 1)",
};

/** An element with the motion of a layer of the timeline. */
interface MovingElement {
  readonly id: string;
  readonly layer: string;
  /** Origin of its scaling, in pixels from its top left. */
  readonly middle: { readonly x: number; readonly y: number };
}

/** The CSS rules that move an element, one line each; none for a layer that never moves. */
function motionRules(
  timeline: Timeline,
  { id, layer, middle }: MovingElement,
  isFromRight: boolean,
): readonly string[] {
  const tracks = timeline.tracks.filter((track) => track.layer === layer);
  if (tracks.length === 0) return [];
  const times = [0, timeline.durationMs, ...tracks.flatMap(({ startMs, endMs }) => [startMs, endMs])];
  const frames = [...new Set(times)]
    .sort((one, other) => one - other)
    .map((ms) => {
      const easing = tracks.find(({ startMs, endMs }) => startMs <= ms && ms < endMs)?.easing;
      const styles = stylesOf(poseAt(timeline, layer, ms), tracks, isFromRight);
      const timing = easing === undefined ? [] : [`animation-timing-function: ${EASINGS[easing]}`];
      return `  ${short((ms / timeline.durationMs) * 100)}% { ${[...styles, ...timing].join("; ")} }`;
    });
  const isScaled = tracks.some(({ property }) => property === "scale");
  const origin = isScaled ? `transform-origin: ${short(middle.x)}px ${short(middle.y)}px; ` : "";
  return [`#${id} { ${origin}animation-name: ${id} }`, `@keyframes ${id} {`, ...frames, "}"];
}

/** The styles of a pose, for the properties that the layer's tracks change. */
function stylesOf(pose: Pose, tracks: Timeline["tracks"], isFromRight: boolean): readonly string[] {
  const { x, y, scale, opacity, reveal } = pose;
  const changes = (...properties: readonly string[]) =>
    tracks.some(({ property }) => properties.includes(property));
  const moves = [
    ...(changes("x", "y") ? [`translate(${short(x)}px, ${short(y)}px)`] : []),
    ...(changes("scale") ? [`scale(${short(scale)})`] : []),
  ];
  const isInPlace = isAtRest({ ...pose, opacity: 1, reveal: 1 });
  const hidden = `${short((1 - reveal) * 100)}%`;
  return [
    ...(moves.length === 0 ? [] : [`transform: ${isInPlace ? "none" : moves.join(" ")}`]),
    ...(changes("opacity") ? [`opacity: ${short(opacity)}`] : []),
    ...(changes("reveal") ? [`clip-path: inset(0 ${isFromRight ? `0 0 ${hidden}` : `${hidden} 0 0`})`] : []),
  ];
}
