import sharp from "sharp";
import type { AssetBytes, PackInputs } from "#renderer/types.ts";
import { seededRandom } from "../support/pictures.ts";

type Random = () => number;

const between = (random: Random, low: number, high: number): number =>
  Math.round(low + random() * (high - low));
const oneOf = <T>(random: Random, first: T, ...rest: T[]): T => {
  const all = [first, ...rest];
  return all[Math.floor(random() * all.length)] ?? first;
};
const colour = (random: Random): string =>
  `hsl(${between(random, 0, 359)} ${between(random, 0, 100)}% ${between(random, 2, 98)}%)`;

async function asAsset(svg: string, noise: number, random: Random): Promise<AssetBytes> {
  const drawn = sharp(Buffer.from(svg));
  const { width = 1, height = 1 } = await drawn.metadata();
  const grain = Buffer.alloc(width * height * 3);
  for (let at = 0; at < grain.length; at += 1) grain[at] = 128 + Math.round((random() - 0.5) * noise);
  const grained = drawn.composite(
    noise === 0 ? [] : [{ input: grain, raw: { width, height, channels: 3 }, blend: "hard-light" }],
  );
  return { bytes: new Uint8Array(await grained.png().toBuffer()), mimeType: "image/png" };
}

const svgOf = (width: number, height: number, inner: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inner}</svg>`;

function blobs(random: Random, width: number, height: number, count: number): string {
  const shapes = Array.from({ length: count }, () => {
    const [x, y] = [between(random, 0, width), between(random, 0, height)];
    const [rx, ry] = [between(random, 3, width / 3), between(random, 3, height / 3)];
    return `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${colour(random)}"/>`;
  });
  return shapes.join("");
}

/** An opaque picture of any aspect: plain, a gradient, or crowded, with or without grain. */
function photo(random: Random): Promise<AssetBytes> {
  const [width, height] = [between(random, 64, 900), between(random, 64, 900)];
  const ramp = `<linearGradient id="g" x2="${random()}" y2="${random()}"><stop stop-color="${colour(random)}"/>
    <stop offset="1" stop-color="${colour(random)}"/></linearGradient><rect width="100%" height="100%" fill="url(#g)"/>`;
  const plain = `<rect width="100%" height="100%" fill="${colour(random)}"/>`;
  const inner = oneOf(random, plain, ramp) + blobs(random, width, height, oneOf(random, 0, 1, 12));
  return asAsset(svgOf(width, height, inner), oneOf(random, 0, 30, 250), random);
}

/** An object on a transparent background, with any position, shape and colour. */
function cutOut(random: Random): Promise<AssetBytes> {
  const [width, height] = [between(random, 64, 900), between(random, 64, 900)];
  return asAsset(svgOf(width, height, blobs(random, width, height, between(random, 1, 3))), 0, random);
}

/** A mark of one to three shapes, from square to very wide. */
function logo(random: Random): AssetBytes {
  const [width, height] = [between(random, 40, 600), between(random, 20, 200)];
  const mark = `<rect x="2" y="2" width="${width - 4}" height="${height - 4}" rx="6" fill="${colour(random)}"/>`;
  const svg = svgOf(width, height, mark + blobs(random, width, height, 2));
  return { bytes: new TextEncoder().encode(svg), mimeType: "image/svg+xml" };
}

/** Inputs of a random family, with or without a logo, a background and brand colours. */
export async function randomInputs(seed: number): Promise<Pick<PackInputs, "assets" | "brand">> {
  const random = seededRandom(seed);
  const hero = oneOf(random, "media", "duo", "product", "person", "device", "background", "logo");
  const assets: { -readonly [slot in keyof PackInputs["assets"]]: AssetBytes } = {};
  if (hero === "media" || hero === "duo") assets.media = await photo(random);
  if (hero === "duo") assets.secondaryMedia = await oneOf(random, photo, cutOut)(random);
  if (hero === "product") assets.product = await oneOf(random, photo, cutOut)(random);
  if (hero === "person") assets.person = await cutOut(random);
  if (hero === "device") assets.device = await oneOf(random, photo, cutOut)(random);
  if (hero === "background" || (hero !== "logo" && random() < 0.3)) assets.background = await photo(random);
  if (hero === "logo" || random() < 0.7) assets.logo = logo(random);
  const hex = () => `#${between(random, 0, 0xffffff).toString(16).padStart(6, "0")}`;
  const named = random() < 0.4 ? { primaryColor: hex(), backgroundColor: hex(), textColor: hex() } : {};
  const more = random() < 0.4 ? { accentColor: hex(), buttonColor: hex(), buttonTextColor: hex() } : {};
  return { assets, brand: { ...named, ...more } };
}
