import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readInlineFile } from "#interface/mcp/inline-file.ts";
import { inspect } from "#renderer/decode/inspect.ts";
import type { FontType, ImageType } from "#renderer/types.ts";
import { knownOther } from "../../sdk/src/files/media-type.ts";
import { loadBundledFonts } from "../support/node-modules.ts";
import { paintPicture } from "../support/pictures.ts";
import { pngChunk, pngFile } from "../support/png-file.ts";
import { asSharp } from "../support/sharp-reference.ts";

const picture = () => asSharp(paintPicture(120, 80)).removeAlpha();
const jpeg = await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer();
const progressive = await picture().jpeg({ progressive: true }).toBuffer();
const png = await picture().png().toBuffer();
const webp = await picture().webp().toBuffer();
const lossless = await picture().webp({ lossless: true }).toBuffer();
const { regular } = await loadBundledFonts();

function codeOf(bytes: Uint8Array, declared: ImageType | FontType): string {
  const inspected = inspect(bytes, declared);
  return inspected.ok ? "ok" : inspected.code;
}

describe("headers identify a file", () => {
  it("a JPEG, as stored, with its orientation", () => {
    expect(inspect(jpeg, "image/jpeg")).toEqual({
      ok: true,
      value: {
        kind: "raster",
        mimeType: "image/jpeg",
        width: 120,
        height: 80,
        orientation: 6,
        hasAlpha: false,
        frames: 1,
      },
    });
  });

  it.each([
    ["PNG", png, "image/png"],
    ["WebP", webp, "image/webp"],
    ["lossless WebP", lossless, "image/webp"],
    ["progressive JPEG", progressive, "image/jpeg"],
  ] as const)("a %s", (_name, bytes, mimeType) => {
    expect(inspect(bytes, mimeType)).toMatchObject({
      ok: true,
      value: { width: 120, height: 80, frames: 1 },
    });
  });

  it("an SVG's own size and a font's glyphs", () => {
    const svg = Buffer.from('<svg viewBox="0 0 30 20"><path d="M0 0h3v3z"/></svg>');
    expect(inspect(svg, "image/svg+xml")).toEqual({
      ok: true,
      value: { kind: "svg", width: 30, height: 20 },
    });
    const font = inspect(regular, "font/ttf");
    expect(font).toMatchObject({ ok: true, value: { kind: "font", mimeType: "font/ttf" } });
  });
});

describe("a file of another type than declared is rejected", () => {
  it.each([
    ["image/png", jpeg],
    ["image/jpeg", png],
    ["image/webp", png],
    ["image/svg+xml", Buffer.from("<html/>")],
    ["font/otf", png],
    ["font/ttf", Buffer.from("too short")],
  ] as const)("%s", (declared, bytes) => {
    expect(codeOf(bytes, declared)).toBe("NOT_WHAT_IT_CLAIMS");
  });

  const iso = (brands: string) => `\0\0\0\x20ftyp${brands}`;
  it.each([
    ["HEIC", iso("heic\0\0\0\0mif1heic"), "as JPEG"],
    ["HEIC", iso("mif1\0\0\0\0mif1heic"), "as JPEG"],
    ["HEIC", iso("hevc\0\0\0\0"), "as JPEG"],
    ["HEIC", iso("heim\0\0\0\0"), "as JPEG"],
    ["HEIC", iso("heis\0\0\0\0"), "as JPEG"],
    ["AVIF", iso("avif\0\0\0\0mif1miaf"), "as JPEG or WebP"],
    ["AVIF", iso("avis\0\0\0\0msf1"), "as JPEG or WebP"],
    ["AVIF", iso("mif1\0\0\0\0mif1avif"), "as JPEG or WebP"],
    ["GIF", "GIF89a", "one frame of it as PNG"],
    ["PDF", "%PDF-1.7", "the page as PNG, or a logo as SVG"],
    ["Photoshop", "8BPS\0\x01", "as PNG or JPEG"],
    ["TIFF", "II*\0", "as PNG or JPEG"],
    ["TIFF", "MM\0*", "as PNG or JPEG"],
    ["BMP", "BM", "as PNG"],
    ["WOFF", "wOFF", "as TTF or OTF"],
    ["WOFF2", "wOF2", "as TTF or OTF"],
    ["ZIP", "PK\x03\x04", "Unpack it"],
  ])(
    "%s, sent as any type, is named with a supported alternative, also by the client library",
    (name, start, remedy) => {
      const bytes = Buffer.concat([Buffer.from(start, "latin1"), new Uint8Array(40)]);
      for (const declared of [
        "image/jpeg",
        "image/png",
        "image/webp",
        "image/svg+xml",
        "font/ttf",
      ] as const) {
        const message = expect.stringMatching(`^The file is ${name}, .*${remedy}`);
        expect(inspect(bytes, declared)).toMatchObject({ ok: false, message });
      }
      expect(readInlineFile(bytes.toString("base64"))).toMatchObject({
        code: "UPLOAD_INTENT_INVALID",
        message: expect.stringContaining(remedy),
      });
      expect(knownOther(bytes)).toBe(name);
    },
  );

  it("an empty file is EMPTY", () => {
    expect(codeOf(new Uint8Array(0), "image/png")).toBe("EMPTY");
  });

  it("compressed fonts are UNSUPPORTED", () => {
    expect(codeOf(Buffer.concat([Buffer.from("wOF2"), regular]), "font/ttf")).toBe("UNSUPPORTED");
    const collection = Buffer.concat([Buffer.from("ttcf"), Buffer.from([0, 1, 0, 0, 0, 0, 0, 4]), regular]);
    expect(inspect(collection, "font/otf")).toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringMatching(/collection \(TTC\) of 4 fonts\. Extract the one font/),
    });
  });

  it("an animation is UNSUPPORTED", async () => {
    const frames = paintPicture(20, 40).pixels;
    const animated = await sharp(frames, { raw: { width: 20, height: 40, channels: 4, pageHeight: 20 } })
      .webp()
      .toBuffer();
    expect(codeOf(animated, "image/webp")).toBe("UNSUPPORTED");
  });
});

describe("a file that ends early is TRUNCATED", () => {
  it.each([
    ["image/jpeg", jpeg],
    ["image/jpeg", progressive],
    ["image/png", png],
    ["image/webp", webp],
    ["font/ttf", regular],
    ["image/svg+xml", Buffer.from('<svg viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>')],
  ] as const)("%s", (declared, bytes) => {
    expect(codeOf(bytes.subarray(0, bytes.length - 3), declared)).toBe("TRUNCATED");
    expect(codeOf(bytes.subarray(0, Math.floor(bytes.length * 0.7)), declared)).toBe("TRUNCATED");
  });
});

describe("declared size is limited before anything is allocated", () => {
  it.each([
    ["an edge", 8193, 10],
    ["the area", 8000, 6001],
  ])("%s", (_name, width, height) => {
    const huge = { width, height, bitDepth: 8, colourType: 2 };
    expect(codeOf(pngFile(huge, pngChunk("IDAT", new Uint8Array(8))), "image/png")).toBe("TOO_LARGE");
  });

  it("a PNG whose header fails its CRC is damaged", () => {
    const damaged = Buffer.from(png);
    damaged.writeUInt32BE(119, 16);
    expect(codeOf(damaged, "image/png")).toBe("NOT_WHAT_IT_CLAIMS");
  });
});
