import { describe, expect, it } from "vitest";
import type { CreateUploadBody } from "#api/schemas/upload.ts";
import { MIME_TYPES, SLOT_IDS, SLOTS } from "#api/slots.ts";
import { findFileNameProblem, validateIntent } from "#domains/assets/intent-rules.ts";

const photo = {
  slotId: "media",
  fileName: "photo.jpg",
  mimeType: "image/jpeg",
  byteLength: 1_000,
  width: 360,
  height: 360,
} as const satisfies CreateUploadBody;
const font = { slotId: "font", fileName: "brand.ttf", mimeType: "font/ttf", byteLength: 1_000 } as const;
const vector = { slotId: "logo", fileName: "mark.svg", mimeType: "image/svg+xml", byteLength: 900 } as const;

/** The field and message of a rejection; null if the intent is accepted. */
function problemOf(body: CreateUploadBody): { field: unknown; message: string } | null {
  const outcome = validateIntent(body);
  if (outcome.ok) return null;
  expect(outcome.code).toBe("UPLOAD_INTENT_INVALID");
  return { field: outcome.details?.field, message: outcome.message };
}

/** The conformance tests of uploads check byte and pixel limits exactly. */
describe("an upload intent", () => {
  it("accepts exactly the types that API §2.8 lists for its slot", () => {
    const raster = ["image/png", "image/jpeg", "image/webp"];
    const accepted: Record<string, readonly string[]> = {
      logo: ["image/svg+xml", ...raster],
      background: raster,
      media: raster,
      secondaryMedia: raster,
      product: raster,
      person: ["image/png", "image/webp"],
      device: raster,
      font: ["font/otf", "font/ttf"],
    };
    for (const slotId of SLOT_IDS) {
      for (const mimeType of MIME_TYPES) {
        const pixels = mimeType.startsWith("image/") ? { width: 600, height: 600 } : {};
        const body = { slotId, fileName: "file", mimeType, byteLength: 1, ...pixels };
        expect(validateIntent(body).ok, `${slotId} ${mimeType}`).toBe(accepted[slotId]?.includes(mimeType));
      }
    }
  });

  it("with an unknown slot or type is rejected with the name of that field", () => {
    expect(problemOf({ ...photo, slotId: "hero" })?.field).toBe("slotId");
    expect(problemOf({ ...photo, slotId: "toString" })?.field).toBe("slotId");
    expect(problemOf({ ...photo, mimeType: "image/gif" })?.field).toBe("mimeType");
  });

  it("for an SVG accepts any size from one pixel up to the image limit", () => {
    expect(problemOf({ ...vector, width: 1, height: 1 })).toBeNull();
    expect(problemOf({ ...vector, mimeType: "image/png", width: 127, height: 127 })?.message).toContain(
      "128",
    );
    expect(problemOf({ ...vector, width: 127, height: 127 })).toBeNull();
    expect(problemOf({ ...vector, width: 8_192, height: 5_859 })).toBeNull();
    expect(problemOf({ ...vector, width: 8_193, height: 1 })?.field).toBe("width");
    expect(problemOf({ ...vector, width: 8_000, height: 6_001 })?.message).toContain("48000000");
  });

  it("requires an integer width and height for rasters, both or neither for SVG, and none for fonts", () => {
    const { width: _width, ...withoutWidth } = photo;
    expect(problemOf(withoutWidth)?.field).toBe("width");
    for (const height of [0, -5, 400.5]) expect(problemOf({ ...photo, height })?.field).toBe("height");
    expect(problemOf(vector)).toBeNull();
    expect(problemOf({ ...vector, width: 24, height: 8 })).toBeNull();
    expect(problemOf({ ...vector, width: 24 })?.field).toBe("height");
    expect(problemOf(font)).toBeNull();
    expect(problemOf({ ...font, width: 400 })?.field).toBe("width");
    expect(problemOf({ ...font, height: 400 })?.field).toBe("height");
  });
});

it.each<[string, Partial<CreateUploadBody>, object]>([
  ["list of slots", { slotId: "photo" }, { field: "slotId", accepts: SLOT_IDS }],
  ["list of accepted types", { mimeType: "image/gif" }, { field: "mimeType", accepts: SLOTS.media.accepts }],
  ["minimum edge", { height: 359 }, { field: "height", minimum: 360 }],
  [
    "maximum edge",
    { width: 8_193 },
    {
      field: "width",
      maximum: 8_192,
      pixels: 2_949_480,
      limit: 48_000_000,
      largest: { width: 8_192, height: 359 },
    },
  ],
  [
    "maximum number of bytes",
    { byteLength: 26_214_401 },
    { field: "byteLength", minimum: 1, maximum: 26_214_400 },
  ],
  [
    "maximum size in the same shape",
    { width: 8_064, height: 6_048 },
    {
      field: "width",
      pixels: 48_771_072,
      limit: 48_000_000,
      largest: { width: 8_000, height: 6_000 },
    },
  ],
])("the details of a rejected intent have the %s", (_, changes, details) => {
  const outcome = validateIntent({ ...photo, ...changes });
  expect(!outcome.ok && outcome.details).toEqual(details);
});

describe("a file name", () => {
  it("may be any name of 1 to 255 characters", () => {
    for (const name of [
      "a",
      "Überblick – 2026 (1).png",
      "写真.jpg",
      "🙂".repeat(255),
      "a".repeat(255),
      "..a",
    ]) {
      expect(findFileNameProblem(name), name).toBeNull();
    }
    expect(findFileNameProblem("")).toContain("1 to 255");
    expect(findFileNameProblem("a".repeat(256))).toContain("256");
  });

  it("is never a path, a terminal control or a false extension", () => {
    const tricks = ["../secret", "a/b.png", "a\\b.png", ".", "..", " ", "a\u0000.png", "a\r\nSet-Cookie: b"];
    for (const name of [
      ...tricks,
      "\u200b\u2060",
      "\u00ad",
      "a\u007f",
      "a\u0085",
      "photo\u202egnp.exe",
      "\ud800.png",
    ]) {
      expect(findFileNameProblem(name), JSON.stringify(name)).not.toBeNull();
    }
  });
});
