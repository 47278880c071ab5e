import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createOrientedRows } from "#renderer/decode/exif-orientation.ts";
import { decodeImage } from "#renderer/decode/index.ts";
import { inspect } from "#renderer/decode/inspect.ts";
import { createJpegDecoder } from "#renderer/decode/jpeg-codec.ts";
import { readJpegStructure } from "#renderer/decode/jpeg-markers.ts";
import { planJpeg } from "#renderer/decode/jpeg-plan.ts";
import { createEngine } from "#renderer/engine.ts";
import { toRgba } from "#renderer/raster/rgb-pixels.ts";
import { fixtureFile } from "../support/fixture-file.ts";
import { flatProgressiveJpeg, type Sampling } from "../support/flat-jpeg.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { paintPicture } from "../support/pictures.ts";
import { readSample } from "../support/renderer.ts";
import { asSharp } from "../support/sharp-reference.ts";
import { structuralSimilarity } from "../support/structural-similarity.ts";

const modules = await loadCodecModules();
const engine = createEngine(modules);

function structureOf(bytes: Uint8Array) {
  const jpeg = readJpegStructure(bytes);
  if (typeof jpeg === "string") throw new Error(jpeg);
  return jpeg;
}

const ONE = { h: 1, v: 1 };
const TWO = { h: 2, v: 2 };

describe("the decoder's memory is bounded, and the largest pictures decode", () => {
  it.each<[string, number, number, readonly Sampling[], { width: number; height: number }, number, number]>([
    ["48 MP in 4:2:0 for 1080 px", 8000, 6000, [TWO, ONE, ONE], { width: 1440, height: 1080 }, 2000, 28],
    ["48 MP in 4:4:4 for 1080 px", 8000, 6000, [ONE, ONE, ONE], { width: 1440, height: 1080 }, 2000, 37],
    ["48 MP of CMYK for 1080 px", 8000, 6000, [ONE, ONE, ONE, ONE], { width: 1440, height: 1080 }, 2000, 49],
    ["48 MP for its whole size", 8192, 5859, [TWO, ONE, ONE], { width: 8192, height: 5859 }, 2048, 29],
    ["33 MP in 4:2:0 for half", 6700, 5000, [TWO, ONE, ONE], { width: 3350, height: 2500 }, 3350, 54],
    ["33 MP in 4:4:4 for half: less", 6700, 5000, [ONE, ONE, ONE], { width: 3350, height: 2500 }, 1675, 27],
    ["8 MP in 4:4:4 for all", 3360, 2490, [ONE, ONE, ONE], { width: 3360, height: 2490 }, 3360, 55],
    ["8 MP of CMYK for all: less", 3360, 2490, [ONE, ONE, ONE, ONE], { width: 3360, height: 2490 }, 1680, 22],
  ])("%s", async (_name, width, height, samplings, wanted, decodedWidth, megabytesMax) => {
    const bytes = flatProgressiveJpeg(width, height, samplings);
    expect(inspect(bytes, "image/jpeg").ok).toBe(true);
    const jpeg = structureOf(bytes);
    const decoder = await createJpegDecoder(modules.jpegDecoder);
    const plan = planJpeg(jpeg, wanted);
    const rows = createOrientedRows(plan.width, plan.height, 1);
    expect(decoder.decode(jpeg, plan, samplings.length === 4 ? "cmyk" : "ycc", rows)).toBe(true);
    expect(plan.width).toBe(decodedWidth);
    const { pixels } = toRgba(rows.raster);
    expect(pixels.subarray(0, 3)).toEqual(Uint8ClampedArray.of(128, 128, 128));
    expect(pixels.subarray(-4, -1)).toEqual(Uint8ClampedArray.of(128, 128, 128));
    expect(decoder.memoryBytes() / 1e6).toBeLessThanOrEqual(megabytesMax);
  });

  it("16 MP of a photo, progressive", async () => {
    const bytes = readSample("dandelion.jpg");
    const jpeg = structureOf(bytes);
    const decoder = await createJpegDecoder(modules.jpegDecoder);
    const plan = planJpeg(jpeg, { width: 1080, height: 608 });
    const rows = createOrientedRows(plan.width, plan.height, 1);
    expect(decoder.decode(jpeg, plan, "ycc", rows)).toBe(true);
    expect(decoder.memoryBytes() / 1e6).toBeLessThanOrEqual(10);
    const reference = await sharp(bytes)
      .resize(plan.width, plan.height, { fit: "fill" })
      .ensureAlpha()
      .raw()
      .toBuffer();
    expect(
      structuralSimilarity(toRgba(rows.raster).pixels, reference, plan.width, plan.height, 4),
    ).toBeGreaterThan(0.98);
  });

  it("a baseline picture needs at most 1 MB", async () => {
    const bytes = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: "#4080c0" } })
      .jpeg()
      .toBuffer();
    const decoder = await createJpegDecoder(modules.jpegDecoder);
    const jpeg = structureOf(bytes);
    const plan = planJpeg(jpeg, { width: 1440, height: 1080 });
    expect(decoder.decode(jpeg, plan, "ycc", createOrientedRows(plan.width, plan.height, 1))).toBe(true);
    expect(decoder.memoryBytes()).toBeLessThanOrEqual(1_000_000);
  });
});

describe("a scan longer than the input window decodes correctly", () => {
  const { pixels, ...size } = paintPicture(448, 400);
  const loud = pixels.map((value, at) => (at % 4 === 3 ? 255 : (value * 7919 + at * 31) & 255));
  const written = (progressive: boolean) =>
    asSharp({ ...size, pixels: loud })
      .removeAlpha()
      .jpeg({ progressive, quality: 90, chromaSubsampling: "4:4:4" })
      .toBuffer();
  it.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
    ["sequential", () => written(false)],
    ["sequential with RST", () => fixtureFile("jpeg/others/long-rst.jpg")],
    ["progressive", () => written(true)],
    ["progressive with RST", () => fixtureFile("jpeg/others/long-progressive-rst.jpg")],
  ])("%s", async (_name, make) => {
    const bytes = await make();
    expect(bytes.length).toBeGreaterThan(2 * 131_072);
    const decoded = await decodeImage(engine, bytes, "image/jpeg", size);
    const reference = await sharp(bytes).ensureAlpha().raw().toBuffer();
    expect(decoded.ok && Buffer.from(decoded.value.raster.pixels).equals(reference)).toBe(true);
  });
});

describe("damaged data is rejected, unless it ends in the last row of MCUs", () => {
  const other = (name: string): Uint8Array => fixtureFile(`jpeg/others/${name}.jpg`);
  const picture = () => asSharp(paintPicture(96, 80)).removeAlpha();
  const codeOf = async (bytes: Uint8Array): Promise<string> => {
    const decoded = await decodeImage(engine, bytes, "image/jpeg", { width: 96, height: 80 });
    return decoded.ok ? "decoded" : decoded.code;
  };
  const withoutEnd = (bytes: Uint8Array, share: number): Uint8Array => {
    const start = bytes.lastIndexOf(0xda) + 14;
    const cut = start + Math.floor((bytes.length - 2 - start) * share);
    return Buffer.concat([bytes.subarray(0, cut), Buffer.of(0xff, 0xd9)]);
  };

  it("data that ends in the last row of MCUs", async () => {
    expect(await codeOf(withoutEnd(other("96x80"), 0.97))).toBe("decoded");
  });

  it.each([0, 0.3, 0.7])("data that ends at %f of its length", async (share) => {
    expect(await codeOf(withoutEnd(other("96x80"), share))).toBe("ASSET_UNREADABLE");
  });

  describe("with RSTm, damage loses only the rest of its restart interval", () => {
    // Intervals of 3 MCUs of 16 × 16: two a row, ten in all.
    const rstAt = (bytes: Uint8Array, m: number): number =>
      bytes.findIndex((byte, index) => byte === 0xff && bytes[index + 1] === 0xd0 + m);
    /** Fractions of wrong pixels in each half of the rows of MCUs. */
    async function wrongIntervals(bytes: Uint8Array, whole: Uint8Array): Promise<number[] | string> {
      const [damaged, right] = await Promise.all(
        [bytes, whole].map((one) => decodeImage(engine, one, "image/jpeg", { width: 96, height: 80 })),
      );
      if (!damaged?.ok || !right?.ok) return "refused";
      const wrong = new Set<number>();
      for (let at = 0; at < damaged.value.raster.pixels.length; at += 1) {
        const [x, y] = [(at >> 2) % 96, Math.floor((at >> 2) / 96)];
        // Chroma is interpolated over one neighbouring pixel.
        if (x % 48 < 2 || x % 48 > 45 || y % 16 < 2 || y % 16 > 13) continue;
        if (damaged.value.raster.pixels[at] !== right.value.raster.pixels[at])
          wrong.add(Math.floor(y / 16) * 2 + Math.floor(x / 48));
      }
      return [...wrong];
    }
    /** The bytes with the part `from` to `to` replaced by `others`. */
    const spliced = (bytes: Uint8Array, from: number, to: number, ...others: number[]): Uint8Array =>
      Buffer.concat([bytes.subarray(0, from), Buffer.from(others), bytes.subarray(to)]);

    it.each(["96x80-rst-3", "96x80-progressive-rst-3"])("%s", async (file) => {
      const whole = other(file);
      const [at, next] = [rstAt(whole, 2), rstAt(whole, 3)];
      const cases: readonly (readonly [string, Uint8Array, number[]])[] = [
        ["no code", spliced(whole, at + 4, next - 2, ...new Array(next - at - 6).fill(0xfe)), [3]],
        ["data that ends", spliced(whole, at + 4, next), [3]],
        ["another number", spliced(whole, at, at + 2, 0xff, 0xd6), []],
        ["a marker that is missing", spliced(whole, at, at + 2), [3]],
        ["an interval that is missing", spliced(whole, at, next), [3]],
        ["an interval twice", spliced(whole, next, next, ...whole.subarray(at, next)), []],
      ];
      for (const [name, bytes, wanted] of cases) {
        const wrong = await wrongIntervals(bytes, whole);
        expect([name, wrong]).toEqual([name, wanted]);
      }
    });

    it("is rejected if more than a quarter is lost, or the data ends before the last row", async () => {
      const whole = other("96x80-rst-3");
      expect(await wrongIntervals(spliced(whole, rstAt(whole, 2), rstAt(whole, 4)), whole)).toEqual([3, 4]);
      const broken = [1, 3, 5].reduce(
        (bytes, m) => spliced(bytes, rstAt(bytes, m) + 3, rstAt(bytes, m + 1)),
        whole,
      );
      expect(await codeOf(broken)).toBe("ASSET_UNREADABLE");
      for (const share of [0.3, 0.5, 0.7])
        expect(await codeOf(withoutEnd(whole, share))).toBe("ASSET_UNREADABLE");
    });
  });

  it("a file without DHT is read with the typical tables of T.81, K.3.3", async () => {
    const whole = await picture().jpeg({ optimiseCoding: false }).toBuffer();
    const bare = Buffer.from(whole);
    for (let at = bare.indexOf(Buffer.of(0xff, 0xc4)); at >= 0; at = bare.indexOf(Buffer.of(0xff, 0xc4), at))
      bare[at + 1] = 0xfe;
    expect(await codeOf(bare)).toBe("decoded");
    const [one, other] = await Promise.all(
      [whole, bare].map((bytes) => decodeImage(engine, bytes, "image/jpeg", { width: 96, height: 80 })),
    );
    expect(one).toEqual(other);
  });

  it("a component without a scan, a missing DQT, Huffman codes that overlap", async () => {
    expect(await codeOf(other("no-scan-of-cr"))).toBe("ASSET_UNREADABLE");
    const unquantised = other("96x80");
    const table = unquantised.findIndex((byte, index) => byte === 0xff && unquantised[index + 1] === 0xdb);
    unquantised[table + 1] = 0xfe;
    expect(await codeOf(unquantised)).toBe("ASSET_UNREADABLE");
    const crowded = other("96x80");
    const tables = crowded.findIndex((byte, index) => byte === 0xff && crowded[index + 1] === 0xc4);
    crowded[tables + 5] = 3;
    expect(await codeOf(crowded)).toBe("ASSET_UNREADABLE");
  });

  it("MCUs of more than ten blocks", async () => {
    expect(await codeOf(other("11-blocks-an-mcu"))).toBe("ASSET_UNREADABLE");
  });

  it("arithmetic coding, lossless and 12 bits are unsupported", async () => {
    const bytes = await picture().jpeg().toBuffer();
    const frame = bytes.findIndex((byte, index) => byte === 0xff && bytes[index + 1] === 0xc0);
    for (const [at, value] of [
      [frame + 1, 0xc9],
      [frame + 1, 0xc3],
      [frame + 4, 12],
    ] as const) {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      expect(inspect(changed, "image/jpeg")).toMatchObject({ ok: false, code: "UNSUPPORTED" });
    }
  });
});
