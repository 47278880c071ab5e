import { deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { expect, it } from "vitest";
import { decodeImage } from "#renderer/decode/index.ts";
import type { AssetBytes } from "#renderer/types.ts";
import { ascii, joined, u32 } from "../support/binary.ts";
import { fixtureFile } from "../support/fixture-file.ts";
import { pngChunk, withPngChunks } from "../support/png-file.ts";
import { readSample } from "../support/renderer.ts";
import { sampleColours } from "../support/sample-colours.ts";
import { unwrap } from "../support/unwrap.ts";
import { engine, prepared } from "./pack-fixtures.ts";

/**
 * Guarantee: a PNG that declares its colour space without a profile (gAMA, cHRM, cICP) is drawn like a PNG with a
 * profile of the same colour space. A PNG that declares sRGB, in any of the usual forms, keeps its pixel values.
 * Unsupported declarations are reported.
 */

const COLOURS = sampleColours(3);
const plain = new Uint8Array(
  await sharp(Uint8Array.from(COLOURS.flat()), { raw: { width: COLOURS.length, height: 1, channels: 3 } })
    .png()
    .toBuffer(),
);
const gAMA = (value: number): Uint8Array => pngChunk("gAMA", u32(value));
const cHRM = (...values: readonly number[]): Uint8Array => pngChunk("cHRM", u32(...values));
const cICP = (...values: readonly number[]): Uint8Array => pngChunk("cICP", Uint8Array.from(values));
const iCCP = (profile: string): Uint8Array =>
  pngChunk("iCCP", joined(ascii("p\0\0"), deflateSync(fixtureFile(`icc/others/${profile}.icc`))));
const sRGB = pngChunk("sRGB", Uint8Array.of(0));

const SRGB_PLACES = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000];
const ADOBE_PLACES = [31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000];
const P3_PLACES = [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000];

async function decoded(bytes: Uint8Array) {
  const image = unwrap(
    await decodeImage(await engine(), bytes, "image/png", { width: COLOURS.length, height: 1 }),
  );
  return { pixels: [...image.raster.pixels], profile: image.profile };
}

it.each([
  ["Adobe RGB by gAMA and cHRM", [gAMA(45455), cHRM(...ADOBE_PLACES)], "adobe-rgb"],
  ["a gamma of 1.8", [gAMA(55556)], "srgb-gamma-1.8"],
  ["linear light", [gAMA(100_000)], "srgb-linear"],
  ["other primaries alone", [cHRM(...P3_PLACES)], "display-p3"],
  ["Display P3 by cICP", [cICP(12, 13, 0, 1)], "display-p3"],
  ["cICP before all but a profile", [sRGB, gAMA(100_000), cICP(12, 13, 0, 1)], "display-p3"],
])("%s: the same colours as with a profile of that colour space", async (_name, chunks, profile) => {
  const named = await decoded(withPngChunks(plain, ...chunks));
  const profiled = await decoded(withPngChunks(plain, iCCP(profile)));
  expect([named.profile, profiled.profile]).toEqual(["converted", "converted"]);
  const apart = named.pixels.map((value, at) => Math.abs(value - (profiled.pixels[at] ?? 0)));
  expect(Math.max(...apart)).toBeLessThanOrEqual(1);
});

it.each([
  ["gAMA in its usual form", [gAMA(45455)]],
  ["gAMA and cHRM in their usual form", [gAMA(45455), cHRM(...SRGB_PLACES)]],
  ["the same, otherwise rounded", [gAMA(45000), cHRM(31269, 32899, 63999, 33001, 30000, 60000, 15000, 5999)]],
  ["sRGB, whatever other chunks", [sRGB, gAMA(100_000), cHRM(...P3_PLACES)]],
  ["cICP", [cICP(1, 13, 0, 1)]],
  ["a profile, whatever other chunks", [iCCP("srgb"), gAMA(100_000), cICP(9, 16, 0, 1)]],
])("sRGB by %s: no pixel value changes", async (_name, chunks) => {
  const { pixels, profile } = await decoded(withPngChunks(plain, ...chunks));
  expect(profile).toBe("srgb");
  expect(pixels).toEqual(COLOURS.flatMap((colour) => [...colour, 255]));
});

const NOT_FOLLOWED: Readonly<Record<string, Uint8Array>> = {
  "the curve of HDR": cICP(9, 16, 0, 1),
  "limited video range": cICP(1, 13, 0, 0),
  "a truncated cICP": cICP(1),
  "no gamma at all": gAMA(0),
  "a truncated gAMA": pngChunk("gAMA", Uint8Array.of(1)),
  "primaries of zero": cHRM(0, 0, 0, 0, 0, 0, 0, 0),
  "primaries in one line": cHRM(31270, 32900, 20000, 20000, 30000, 30000, 40000, 40000),
  "a white outside the primaries": cHRM(80000, 15000, 64000, 33000, 30000, 60000, 15000, 6000),
  "a truncated cHRM": cHRM(31270, 32900),
};

it.each(Object.entries(NOT_FOLLOWED))("%s: ignored and reported", async (_name, chunk) => {
  const { pixels, profile } = await decoded(withPngChunks(plain, chunk));
  expect(profile).toBe("approximated");
  expect(pixels).toEqual(COLOURS.flatMap((colour) => [...colour, 255]));
});

it("the layout report names each picture with an unsupported colour space, also a logo", async () => {
  const photo = { create: { width: 400, height: 400, channels: 3, background: "#3060a0" } } as const;
  const unfollowed = async (image: Sharp): Promise<AssetBytes> => ({
    bytes: withPngChunks(await image.png().toBuffer(), cICP(9, 18, 0, 1)),
    mimeType: "image/png",
  });
  const assets = {
    media: await unfollowed(sharp(photo)),
    logo: await unfollowed(sharp(readSample("logo.svg"))),
  };
  const pack = await prepared({ assets });
  const told = pack.adjustments.filter(({ code }) => code === "profile_approximated");
  expect(told.map(({ element }) => element)).toEqual(["hero", "logo"]);
  pack.close();
});
