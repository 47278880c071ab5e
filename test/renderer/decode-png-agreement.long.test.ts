import { constants, deflateSync, type ZlibOptions } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeImage } from "#renderer/decode/index.ts";
import { readPngStructure } from "#renderer/decode/png-chunks.ts";
import { createPngDecoder } from "#renderer/decode/png-codec.ts";
import { NO_COLOUR_CHUNKS } from "#renderer/decode/png-colours.ts";
import { shrinkFactor } from "#renderer/decode/shrink-factor.ts";
import { createEngine } from "#renderer/engine.ts";
import { averaged } from "../support/averaged.ts";
import { joined } from "../support/binary.ts";
import { dimensions } from "../support/dimensions.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { seededRandom } from "../support/pictures.ts";
import {
  PNG_SIGNATURE,
  type PngHeader,
  pngChunk,
  pngFile,
  pngHeaderChunk,
  SAMPLES,
} from "../support/png-file.ts";
import { unwrap } from "../support/unwrap.ts";

const modules = await loadCodecModules();
const engine = createEngine(modules);
const SEED = 20261121;
const WIDTH = 83;
const HEIGHT = 61;

const DEPTHS: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const NAMES: Record<number, string> = { 0: "grey", 2: "RGB", 3: "palette", 4: "grey with alpha", 6: "RGBA" };
const FILTERS = [0, 1, 2, 3, 4, "every"] as const;

interface PngToWrite extends PngHeader {
  /** Filter of each row, 0 to 4; "every" cycles through all. */
  readonly filter: number | "every";
  readonly palette?: Uint8Array;
  readonly transparency?: Uint8Array;
  readonly deflate?: ZlibOptions;
  /** Bytes of compressed data in each IDAT chunk. By default, one chunk has all of them. */
  readonly chunkBytes?: number;
}

const WHOLE = [[0, 0, 1, 1]] as const;
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Byte value of the flat parts of rows. */
const FLAT = 0x40;

/** Filtered rows; any bytes are valid. Alternately flat, repeated and random. */
function rowsOf({ width, height, bitDepth, colourType, isInterlaced, filter }: PngToWrite): Uint8Array {
  const random = seededRandom(SEED);
  const byte = () => Math.floor(random() * 256);
  const repeated = Uint8Array.from({ length: 256 }, byte);
  const rows: Uint8Array[] = [];
  for (const [left, top, stepX, stepY] of isInterlaced ? ADAM7 : WHOLE) {
    const samples = Math.ceil((width - left) / stepX) * (SAMPLES[colourType] ?? 1);
    if (samples <= 0) continue;
    for (let y = 0; y < Math.ceil((height - top) / stepY); y++) {
      const row = Uint8Array.from(
        { length: Math.ceil((samples * bitDepth) / 8) },
        (_, x) => [FLAT, repeated[(x + y * 57) & 255] ?? 0, byte()][(x >> 4) % 3] ?? 0,
      );
      rows.push(Uint8Array.of(filter === "every" ? y % 5 : filter), row);
    }
  }
  return joined(...rows);
}

/** Writes a PNG of any kind in the specification. */
function writePng(png: PngToWrite): Uint8Array {
  const compressed = deflateSync(rowsOf(png), png.deflate);
  const chunkBytes = png.chunkBytes ?? compressed.length;
  const parts = Array.from({ length: Math.ceil(compressed.length / chunkBytes) }, (_, part) =>
    pngChunk("IDAT", compressed.subarray(part * chunkBytes, (part + 1) * chunkBytes)),
  );
  return pngFile(
    png,
    ...(png.palette === undefined ? [] : [pngChunk("PLTE", png.palette)]),
    ...(png.transparency === undefined ? [] : [pngChunk("tRNS", png.transparency)]),
    ...parts,
  );
}

function palette(colours: number): Uint8Array {
  const random = seededRandom(colours);
  return Uint8Array.from({ length: colours * 3 }, () => Math.floor(random() * 256));
}

async function agree(png: PngToWrite): Promise<void> {
  const bytes = writePng(png);
  const { width, height } = png;
  const reference = await sharp(bytes).toColourspace("srgb").ensureAlpha().raw().toBuffer();
  for (const scale of [1, 3, 20]) {
    const wanted = { width: Math.floor(width / scale), height: Math.floor(height / scale) };
    const factor = shrinkFactor(width, height, wanted);
    const means = averaged(reference, width, height, factor);
    const { raster } = unwrap(await decodeImage(engine, bytes, "image/png", wanted));
    expect(raster).toMatchObject({
      width: means.width,
      height: means.height,
      alpha: means.isOpaque ? "opaque" : "straight",
    });
    const isSame = Buffer.from(raster.pixels.buffer).equals(Buffer.from(means.pixels.buffer));
    expect(isSame, `at 1/${factor}`).toBe(true);
  }
}

function pngOf(
  colourType: number,
  bitDepth: number,
  isInterlaced: boolean,
  filter: PngToWrite["filter"],
): PngToWrite {
  return {
    width: WIDTH,
    height: HEIGHT,
    bitDepth,
    colourType,
    isInterlaced,
    filter,
    ...(colourType === 3 ? { palette: palette(1 << bitDepth) } : {}),
  };
}

describe(`a PNG decodes to libpng's pixels, whole and averaged (seed ${SEED})`, () => {
  for (const [type, depths] of Object.entries(DEPTHS)) {
    for (const bitDepth of depths) {
      for (const isInterlaced of [false, true]) {
        it(`${NAMES[Number(type)]} of ${bitDepth} bits${isInterlaced ? ", interlaced" : ""}`, async () => {
          for (const filter of isInterlaced ? (["every"] as const) : FILTERS) {
            await agree(pngOf(Number(type), bitDepth, isInterlaced, filter));
          }
        });
      }
    }
  }
});

describe("colours listed in tRNS are transparent", () => {
  const CASES: readonly (readonly [string, number, number, Uint8Array])[] = [
    ...[1, 2, 4, 8, 16].map((depth) => ["a grey level", 0, depth, flatPixel(depth, 1)] as const),
    ...[8, 16].map((depth) => ["a colour", 2, depth, flatPixel(depth, 3)] as const),
    ...[1, 2, 4, 8].map(
      (depth) => ["palette entries", 3, depth, Uint8Array.from([0, 128, 77].slice(0, 1 << depth))] as const,
    ),
  ];
  for (const [name, colourType, bitDepth, transparency] of CASES) {
    for (const isInterlaced of [false, true]) {
      it(`${name} of ${bitDepth} bits${isInterlaced ? ", interlaced" : ""}`, async () => {
        const png = pngOf(colourType, bitDepth, isInterlaced, "every");
        await agree({ ...png, transparency });
        // Readers ignore the bits of a tRNS level beyond the picture's bit depth (PNG, third edition, 11.3.1.1).
        if (colourType !== 3 && bitDepth < 16)
          await agree({
            ...png,
            transparency: transparency.map((byte, at) =>
              at % 2 === 0 ? 0xa5 : byte | ((0xff << bitDepth) & 0xff),
            ),
          });
      });
    }
  }
});

/** The first pixel of a picture, in 16 bits a sample. */
function flatPixel(bitDepth: number, samples: number): Uint8Array {
  const level = ((FLAT << 8) | FLAT) >> (16 - bitDepth);
  return Uint8Array.from({ length: samples * 2 }, (_, at) => (at % 2 === 0 ? level >> 8 : level));
}

describe("with any compression and any division into chunks", () => {
  it.each([
    ["stored", { level: 0 }],
    ["with fixed codes", { strategy: constants.Z_FIXED }],
    ["with codes and no copies", { strategy: constants.Z_HUFFMAN_ONLY }],
    ["with runs", { strategy: constants.Z_RLE }],
    ["as far as it goes", { level: 9, memLevel: 9 }],
    ["in small blocks", { level: 6, memLevel: 1 }],
    ["over a small window", { level: 9, windowBits: 9 }],
  ] as const)("%s", async (_name, deflate) => {
    await agree({ ...pngOf(2, 8, false, "every"), width: 400, height: 220, deflate, chunkBytes: 1000 });
    await agree({ ...pngOf(0, 8, false, 0), width: 1000, height: 300, deflate });
  });

  it.each(dimensions("1x1 1x200 3000x1 4x4 5x3"))("%i × %i pixels", async (width, height) => {
    for (const colourType of [0, 2, 6]) {
      for (const isInterlaced of [false, true]) {
        await agree({ ...pngOf(colourType, 8, isInterlaced, "every"), width, height });
      }
    }
  });
});

it.each([false, true])("boxes whose sums need more than 16 bits, interlaced: %s", async (isInterlaced) => {
  for (const colourType of [0, 6]) {
    const png = { ...pngOf(colourType, 8, isInterlaced, 2), width: 610, height: 910 };
    const bytes = writePng(png);
    const reference = await sharp(bytes).ensureAlpha().raw().toBuffer();
    const decoded = unwrap(await decodeImage(engine, bytes, "image/png", { width: 2, height: 3 }));
    const means = averaged(reference, png.width, png.height, 303);
    expect(decoded.raster.pixels).toEqual(means.pixels);
  }
});

describe("bad bytes are rejected", () => {
  const png = { ...pngOf(2, 8, false, "every"), width: 200, height: 150 };

  const withHeaderOf = (header: PngToWrite, other: Uint8Array): Uint8Array =>
    joined(PNG_SIGNATURE, pngHeaderChunk(header), other.subarray(33));

  it("rows beyond the picture's height are ignored", async () => {
    const longer = withHeaderOf(png, writePng({ ...png, height: 1500 }));
    const decoded = await decodeImage(engine, longer, "image/png", png);
    expect(decoded.ok).toBe(true);
  });

  it("fewer rows than the header says, and an unknown filter", async () => {
    const shorter = withHeaderOf(png, writePng({ ...png, height: 100 }));
    const short = await decodeImage(engine, shorter, "image/png", png);
    expect(short).toMatchObject({ ok: false, message: expect.stringContaining("before its last row") });
    const odd = await decodeImage(engine, writePng({ ...png, filter: 5 }), "image/png", png);
    expect(odd).toMatchObject({ ok: false, message: expect.stringContaining("damaged") });
  });

  it(`with any change of the compressed bytes (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    const compressed = writePng({ ...png, chunkBytes: 4000 });
    await engine.usePngDecoder((decoder) => {
      for (let round = 0; round < 300; round++) {
        const bad = Uint8Array.from(compressed.subarray(41, 4041));
        bad[Math.floor(random() * (round % 2 === 0 ? 100 : bad.length))] = Math.floor(random() * 256);
        const decoded = decoder.decode(
          {
            width: png.width,
            height: png.height,
            bitDepth: 8,
            colourType: 2,
            isInterlaced: false,
            palette: null,
            transparency: null,
            icc: null,
            colourChunks: NO_COLOUR_CHUNKS,
            orientation: 1,
            frames: 1,
            compressed: [bad.subarray(0, 2000), bad.subarray(2000)],
          },
          1,
        );
        expect(["broken", "short"]).toContain(decoded);
      }
      expect(decoder.memoryBytes()).toBeLessThan(2 * 1024 * 1024);
    });
  });
});

it("an interlaced picture too large for one strip of sums is assembled from several", async () => {
  const png = readPngStructure(writePng(pngOf(6, 8, true, "every")));
  if (typeof png === "string") throw new Error(png);
  const whole = (await createPngDecoder(modules.pngDecoder)).decode(png, 3);
  const inStrips = (await createPngDecoder(modules.pngDecoder, 2000)).decode(png, 3);
  expect(inStrips).toEqual(whole);
});
