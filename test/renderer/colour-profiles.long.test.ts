import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeImage } from "#renderer/decode/index.ts";
import { readJpegStructure } from "#renderer/decode/jpeg-markers.ts";
import { type Converted, cmykToSrgb, toSrgb } from "#renderer/decode/to-srgb.ts";
import type { Raster } from "#renderer/types.ts";
import colours from "../fixtures/colours.json";
import { ascii, joined, u8 } from "../support/binary.ts";
import { fixtureFile } from "../support/fixture-file.ts";
import { segment } from "../support/flat-jpeg.ts";
import { seededRandom } from "../support/pictures.ts";
import { sampleColours } from "../support/sample-colours.ts";
import { unwrap } from "../support/unwrap.ts";
import { engine } from "./pack-fixtures.ts";

/**
 * Guarantee: every kind of profile converts as in Little CMS, by relative colorimetry with black-point compensation,
 * with a mean difference of at most 1 of 255 (test/fixtures/make-colours.ts). An unsupported profile is ignored and
 * reported, and never fatal.
 */

/** Colours by the name of a profile in test/fixtures/icc. */
const REFERENCE: Readonly<Record<string, readonly string[]>> = colours;
const PROFILES = Object.keys(REFERENCE);
const profileNamed = (name: string): Uint8Array => fixtureFile(`icc/${name}.icc`);
const MEAN_ERROR_MAX = 1;
const MUTATIONS = 6;
const seed = Number(process.env.SEED ?? 281_128);

const channelsOf = (profile: Uint8Array): 1 | 3 | 4 => {
  const space = String.fromCharCode(...profile.subarray(16, 20));
  return space === "GRAY" ? 1 : space === "CMYK" ? 4 : 3;
};

/** Device colours as a row of pixels, converted. */
async function converted(
  colours: readonly (readonly number[])[],
  channels: number,
  icc: Uint8Array,
): Promise<Converted<Raster>> {
  const { useColourConverter } = await engine();
  const pixels = Uint8ClampedArray.from(
    colours.flatMap(([first = 0, second = first, third = first, fourth = 255]) => [
      first,
      second,
      third,
      fourth,
    ]),
  );
  const raster: Raster = { width: colours.length, height: 1, pixels, alpha: "opaque" };
  return channels === 4
    ? cmykToSrgb(useColourConverter, raster, icc)
    : toSrgb(useColourConverter, raster, icc);
}

describe("each kind of profile converts as in Little CMS", () => {
  it.each(PROFILES)("%s", async (name) => {
    const icc = profileNamed(name);
    const channels = channelsOf(icc);
    const { raster, profile } = await converted(sampleColours(channels), channels, icc);
    expect(profile).not.toBe("approximated");
    const wanted = (REFERENCE[name] ?? []).map((line) => line.split(" ").map(Number));
    expect(wanted).toHaveLength(raster.width);
    const errors = wanted.flatMap((colour, at) =>
      colour.map((value, channel) => Math.abs(value - (raster.pixels[at * 4 + channel] ?? 0))),
    );
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThanOrEqual(MEAN_ERROR_MAX);
    // The reference colours are rounded to tenths. A conversion that changes no level by more than 1 is skipped.
    if (name.startsWith("srgb")) expect(Math.floor(Math.max(...errors) + 0.5)).toBeLessThanOrEqual(1);
  });
});

const NOT_FOLLOWED = [
  ...[
    "device-link",
    "named-colours",
    "lab",
    "rgb-without-curves",
    "grey-without-curve",
    "table-of-4-channels",
  ].map((name) => `others/${name}`),
  // Profiles of another colour space than the picture: CMYK for an RGB picture, grey for a coloured picture.
  ...["cmyk-lut16-lab-press", "grey-lab-gamma"],
];

describe("an unsupported profile is ignored and reported", () => {
  it.each([
    ...NOT_FOLLOWED.map((name) => [name, profileNamed(name)] as const),
    ["no profile at all", Uint8Array.of(1, 2, 3)] as const,
  ])("%s", async (_, icc) => {
    const colours = sampleColours(3);
    const { raster, profile } = await converted(colours, 3, icc);
    expect(profile).toBe("approximated");
    expect([...raster.pixels]).toEqual(colours.flatMap((colour) => [...colour, 255]));
  });
});

describe(`a damaged profile is never fatal (seed ${seed})`, () => {
  it.each(PROFILES)("%s", async (name) => {
    const whole = profileNamed(name);
    const random = seededRandom(seed);
    const channels = channelsOf(whole);
    for (let round = 0; round < MUTATIONS; round += 1) {
      const damaged = whole.slice(0, round % 4 === 0 ? Math.floor(random() * whole.length) : whole.length);
      // Damage the beginning more often: most fields that decide how many bytes are read are there.
      const reach = round % 2 === 0 ? damaged.length : Math.min(damaged.length, 300);
      for (let change = 0; change < 3; change += 1) {
        damaged[Math.floor(random() * reach)] = Math.floor(random() * 256);
      }
      const { raster } = await converted(sampleColours(channels).slice(0, 6), channels, damaged);
      expect(raster.pixels).toHaveLength(24);
    }
  });
});

describe("a JPEG's profile in several segments", async () => {
  const icc = profileNamed("rgb-lut16-lab");
  const plain = new Uint8Array(
    await sharp({ create: { width: 16, height: 16, channels: 3, background: "#c06030" } })
      .jpeg()
      .toBuffer(),
  );
  const size = Math.ceil(icc.length / 3);
  const part = (number: number): Uint8Array => {
    const bytes = icc.subarray((number - 1) * size, number * size);
    return segment(0xe2, ascii("ICC_PROFILE\0"), u8(number, 3), bytes);
  };
  const fileOf = (...numbers: readonly number[]): Uint8Array =>
    joined(plain.subarray(0, 2), ...numbers.map(part), plain.subarray(2));
  const decoded = async (bytes: Uint8Array) => {
    return unwrap(await decodeImage(await engine(), bytes, "image/jpeg", { width: 16, height: 16 }));
  };

  it("is joined in any order", async () => {
    const structure = readJpegStructure(fileOf(3, 1, 2));
    expect(typeof structure === "string" ? structure : structure.icc).toEqual(icc);
    const inOrder = await decoded(fileOf(1, 2, 3));
    expect(inOrder.profile).toBe("converted");
    expect((await decoded(fileOf(2, 3, 1))).raster.pixels).toEqual(inOrder.raster.pixels);
  });

  it("is ignored and reported if a segment is missing", async () => {
    for (const numbers of [[1, 2], [2, 3], [3]]) {
      expect((await decoded(fileOf(...numbers))).profile).toBe("approximated");
    }
  });
});
