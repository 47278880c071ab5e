import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createVp8lDecoder } from "#renderer/decode/vp8l-codec.ts";
import type { Raster } from "#renderer/types.ts";
import { averaged } from "../support/averaged.ts";
import { BitWriter } from "../support/bit-writer.ts";
import { dimensions } from "../support/dimensions.ts";
import { seededRandom } from "../support/pictures.ts";
import { webpChunk, webpWithAlpha } from "../support/riff.ts";
import { asSharp } from "../support/sharp-reference.ts";

const KERNEL = join(import.meta.dirname, "../../src/renderer/kernels/vp8l.wasm");
const decoder = createVp8lDecoder(Reflect.construct(WebAssembly.Module, [readFileSync(KERNEL)]));
const SEED = 20261121;

type Paint = (x: number, y: number, random: () => number) => readonly [number, number, number, number];

function palette(colours: number, isOpaque: boolean): Paint {
  const random = seededRandom(colours);
  const byte = (): number => Math.floor(random() * 256);
  const entries = Array.from(
    { length: colours },
    () => [byte(), byte(), byte(), isOpaque ? 255 : byte()] as const,
  );
  return (x, y, chance) =>
    entries[chance() < 0.1 ? Math.floor(chance() * colours) : ((x >> 3) + (y >> 2) * 5) % colours] ?? [
      0, 0, 0, 0,
    ];
}

const PAINTS: Record<string, Paint> = {
  photograph: (x, y, random) => [
    128 + 100 * Math.sin(x / 19) + random() * 9,
    128 + 90 * Math.sin(y / 17 + x / 30) + random() * 9,
    90 + x / 3 + random() * 9,
    255,
  ],
  "photograph fading out": (x, y, random) => [x + random() * 5, y * 2, 255 - x, (x * 2 + y) & 255],
  noise: (_x, _y, random) => [random() * 256, random() * 256, random() * 256, random() * 256],
  gradient: (x, y) => [x, y, (x + y) >> 1, 255],
  pattern: (x, y) => [x * y, x ^ y, x + y, 255],
  "2 colours": palette(2, true),
  "3 colours with alpha": palette(3, false),
  "4 colours": palette(4, true),
  "16 colours with alpha": palette(16, false),
  "17 colours": palette(17, true),
  "256 colours with alpha": palette(256, false),
  "1000 colours": palette(1000, true),
};

function paint(name: string, width: number, height: number): Raster {
  const random = seededRandom(SEED + name.length);
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = (PAINTS[name] ?? palette(2, true))(x, y, random);
      pixels.set(
        colour.map((value) => value & 255),
        (y * width + x) * 4,
      );
    }
  }
  return { width, height, pixels, alpha: "straight" };
}

function takeRows(bytes: number): Uint8Array {
  const out = new Uint8Array(bytes);
  for (let at = 0; at < bytes; ) {
    const rows = decoder.nextRows(64);
    if (rows === null) throw new Error(`No row after ${at} of ${bytes} bytes.`);
    out.set(rows, at);
    at += rows.length;
  }
  return out;
}

const SIZES = dimensions("1x1 7x300 301x5 150x131");
const OPTIONS = [
  { lossless: true, effort: 0, exact: true },
  { lossless: true, effort: 4, exact: true },
  { nearLossless: true, quality: 40, effort: 6, exact: true },
] as const;

describe("a lossless WebP decodes to the reference library's pixels, whole and averaged", () => {
  let features = 0;
  for (const name of Object.keys(PAINTS)) {
    it(name, async () => {
      for (const [index, [width, height]] of SIZES.entries()) {
        const options = OPTIONS[(index + name.length) % OPTIONS.length] ?? OPTIONS[0];
        const webp = await asSharp(paint(name, width, height))
          .webp(options)
          .toBuffer();
        const reference = await sharp(webp).ensureAlpha().raw().toBuffer();
        const body = webpChunk(webp, "VP8L");
        if (body === null) throw new Error("The file is not lossless.");
        expect(decoder.start(body, width, height)).toBe("ready");
        expect(Buffer.compare(takeRows(width * height * 4), reference), `${width} × ${height}`).toBe(0);
        expect(decoder.nextRows(1)).toBeNull();
        features |= decoder.features();

        expect(decoder.start(body, width, height, 3)).toBe("ready");
        const means = Buffer.from(averaged(reference, width, height, 3).pixels.buffer);
        expect(Buffer.compare(takeRows(means.length), means), `a third of ${width} × ${height}`).toBe(0);
      }
    });
  }

  it("together the files use every transform, the colour cache and entropy images", () => {
    expect(features).toBe(0b111111);
  });

  it("backward references are correct in a picture with more pixels than the decoder keeps", async () => {
    const [width, height] = [1600, 1500];
    const noise = paint("noise", width, 600).pixels;
    const pixels = new Uint8ClampedArray(width * height * 4);
    for (let y = 0; y < height; y++) {
      pixels.set(noise.subarray((y % 600) * width * 4, ((y % 600) + 1) * width * 4), y * width * 4);
    }
    const webp = await asSharp({ width, height, pixels, alpha: "straight" })
      .webp({ lossless: true, effort: 2, exact: true })
      .toBuffer();
    const body = webpChunk(webp, "VP8L") ?? new Uint8Array(0);
    expect(body.length).toBeLessThan(pixels.length * 0.8);
    expect(decoder.start(body, width, height)).toBe("ready");
    expect(Buffer.compare(takeRows(pixels.length), new Uint8Array(pixels.buffer))).toBe(0);
    expect(decoder.memoryBytes()).toBeLessThan(16 * 1024 * 1024);
  });
});

/** Filters an alpha plane as in the container's specification: none, horizontal, vertical, gradient. */
function filterAlpha(filter: number, plane: Uint8Array, width: number): Uint8Array {
  return plane.map((value, at) => {
    const left = at % width === 0 ? null : (plane[at - 1] ?? 0);
    const top = at < width ? null : (plane[at - width] ?? 0);
    const corner = plane[at - width - 1] ?? 0;
    if (filter === 0) return value;
    if (left === null || top === null) return value - (left ?? top ?? 0);
    if (filter === 1) return value - left;
    return value - (filter === 2 ? top : Math.max(0, Math.min(255, left + top - corner)));
  });
}

describe("an alpha plane decodes to the reference library's alpha", () => {
  const [width, height] = [93, 71];
  const picture = paint("photograph fading out", width, height);
  const plane = Uint8Array.from(picture.pixels.filter((_, at) => at % 4 === 3));

  for (const [filter, filterName] of ["no", "the horizontal", "the vertical", "the gradient"].entries()) {
    for (const isCompressed of [false, true]) {
      it(`${isCompressed ? "compressed" : "raw"} with ${filterName} filter`, async () => {
        const filtered = filterAlpha(filter, plane, width);
        const grey = await sharp(filtered, { raw: { width, height, channels: 1 } })
          .webp({ lossless: true })
          .toBuffer();
        // An alpha plane is a lossless picture without its five bytes of signature and size.
        const coded = isCompressed ? (webpChunk(grey, "VP8L") ?? grey).subarray(5) : filtered;
        const alpha = Buffer.concat([Uint8Array.of((filter << 2) | (isCompressed ? 1 : 0)), coded]);
        const lossy = webpChunk(await asSharp(picture).removeAlpha().webp().toBuffer(), "VP8 ");
        if (lossy === null) throw new Error("The picture is not lossy.");
        const reference = await sharp(webpWithAlpha(width, height, alpha, lossy))
          .raw()
          .toBuffer();
        expect(decoder.startAlpha(alpha, width, height)).toBe("ready");
        const decoded = takeRows(width * height);
        expect(decoded).toEqual(new Uint8Array(reference.filter((_, at) => at % 4 === 3)));
        expect(decoded).toEqual(plane);
      });
    }
  }

  it("as encoders write them", async () => {
    const webp = await asSharp(picture).webp({ alphaQuality: 100, effort: 6 }).toBuffer();
    const reference = await sharp(webp).raw().toBuffer();
    expect(decoder.startAlpha(webpChunk(webp, "ALPH") ?? webp, width, height)).toBe("ready");
    expect(takeRows(width * height)).toEqual(new Uint8Array(reference.filter((_, at) => at % 4 === 3)));
  });
});

/**
 * A group: green and red have 256 symbols of 8 bits, whose code lengths take zero bits each; blue, alpha and distance
 * have one symbol.
 */
function putGroup(bits: BitWriter): void {
  for (const symbols of ["first 256", "all"]) {
    bits
      .write(0, 1)
      .write(12 - 4, 4)
      .write(0, 24)
      .write(0, 6)
      .write(0, 3)
      .write(1, 3);
    if (symbols === "all") bits.write(0, 1);
    else bits.write(1, 1).write(3, 3).write(254, 8);
  }
  for (let code = 0; code < 3; code++) bits.write(1, 1).write(0, 3);
}

describe("bad bytes are rejected", () => {
  it("a file with a table for every few pixels, before all tables are read", () => {
    // 64 K groups of codes over 1024 × 1024 pixels, each of 256 symbols of 8 bits, for about 15 bytes a group.
    const bits = new BitWriter();
    bits.write(0x2f, 8).write(1023, 14).write(1023, 14).write(0, 4);
    bits.write(0, 1).write(0, 1).write(1, 1).write(0, 3);
    bits.write(0, 1);
    putGroup(bits);
    for (let group = 0; group < 65_536; group++) bits.write(group, 16);
    for (let group = 0; group < 65_536; group++) putGroup(bits);
    expect(decoder.start(bits.finish(), 1024, 1024)).toBe("too_complex");
    expect(decoder.memoryBytes()).toBeLessThan(48 * 1024 * 1024);
  });

  it("a size that differs from the header's, no bytes, an alpha plane of an unknown kind", () => {
    const header = Uint8Array.of(0x2f, 0, 0, 0, 0, 0, 0, 0);
    expect(decoder.start(header, 2, 1)).toBe("damaged");
    expect(decoder.start(new Uint8Array(0), 1, 1)).toBe("damaged");
    expect(decoder.startAlpha(Uint8Array.of(2, 0, 0), 1, 1)).toBe("damaged");
    expect(decoder.startAlpha(Uint8Array.of(0), 1, 1)).toBe("ready");
    expect(decoder.nextRows(1)).toBeNull();
  });
});
