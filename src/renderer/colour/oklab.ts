import type { Rgb } from "../raster/canvas.ts";
import { byteOf, linearOf } from "./srgb.ts";

/** Perceptual colour: lightness 0..1, green–red `a`, blue–yellow `b` (B. Ottosson, "A perceptual color space", 2020). */
export interface Oklab {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

export function toOklab(colour: Rgb): Oklab {
  const r = linearOf(colour.r);
  const g = linearOf(colour.g);
  const b = linearOf(colour.b);
  const long = cubeRoot(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = cubeRoot(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = cubeRoot(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    a: 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  };
}

/** Nearest sRGB colour; chroma is reduced at the same lightness and hue until the colour is in gamut. */
export function fromOklab(lab: Oklab): Rgb {
  if (isShowable(linearLight(lab))) return bytesOf(lab);
  let low = 0;
  let high = 1;
  for (let step = 0; step < 16; step += 1) {
    const middle = (low + high) / 2;
    if (isShowable(linearLight({ l: lab.l, a: lab.a * middle, b: lab.b * middle }))) low = middle;
    else high = middle;
  }
  return bytesOf({ l: lab.l, a: lab.a * low, b: lab.b * low });
}

export function chroma(lab: Oklab): number {
  return Math.sqrt(lab.a * lab.a + lab.b * lab.b);
}

/** Same hue at another lightness, with chroma at most `chromaMax`. */
export function toned(lab: Oklab, lightness: number, chromaMax: number): Oklab {
  const present = chroma(lab);
  const scale = present > chromaMax ? chromaMax / present : 1;
  return { l: lightness, a: lab.a * scale, b: lab.b * scale };
}

/** Euclidean distance; 0.02 is about one just noticeable difference. */
export function distance(one: Oklab, other: Oklab): number {
  const l = one.l - other.l;
  const a = one.a - other.a;
  const b = one.b - other.b;
  return Math.sqrt(l * l + a * a + b * b);
}

function bytesOf(lab: Oklab): Rgb {
  const [r, g, b] = linearLight(lab);
  return { r: byteOf(r), g: byteOf(g), b: byteOf(b) };
}

function linearLight({ l, a, b }: Oklab): readonly [number, number, number] {
  const long = cubed(l + 0.3963377774 * a + 0.2158037573 * b);
  const medium = cubed(l - 0.1055613458 * a - 0.0638541728 * b);
  const short = cubed(l - 0.0894841775 * a - 1.291485548 * b);
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function isShowable(channels: readonly number[]): boolean {
  return channels.every((channel) => channel >= -0.0005 && channel <= 1.0005);
}

/** Newton's method, because Math.cbrt may differ by an ulp between engines. */
function cubeRoot(value: number): number {
  if (value <= 0) return 0;
  let root = value < 0.01 ? 0.2 : 0.8;
  for (let step = 0; step < 24; step += 1) {
    const next = (2 * root + value / (root * root)) / 3;
    if (Math.abs(next - root) < 1e-15) return next;
    root = next;
  }
  return root;
}

function cubed(value: number): number {
  return value * value * value;
}
