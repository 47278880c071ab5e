import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { inspect } from "#renderer/decode/inspect.ts";
import {
  type AssetBytes,
  type FontType,
  type ImageType,
  isImageType,
  type PackInputs,
  type RenderedOutput,
  type RenderFailure,
} from "#renderer/index.ts";
import { MIME_TYPES } from "../corpus/kinds.ts";
import { mutate } from "../corpus/mutate.ts";
import { allSeeds } from "../corpus/seeds/index.ts";
import { fixtureFile } from "../support/fixture-file.ts";
import { seededRandom } from "../support/pictures.ts";
import {
  catalogueSize,
  draw,
  fileOf,
  inputsOf,
  readSample,
  renderer,
  sampleAsset,
  svgAsset,
  withPack,
} from "../support/renderer.ts";
import { solidPng } from "../support/sharp-reference.ts";

/**
 * Guarantee: bad input either renders well or fails with a reason that a person understands. The renderer never throws.
 */

const CONTRAST_MIN = 4.5;
const COPY = {
  headline: "Soft as the first warm day",
  subheadline: "Body oil from meadow flowers.",
  cta: "Find yours",
};
const SIZE_IDS = ["iab-300x250", "iab-728x90", "gads-120x600", "tiktok-640x640"];
const MPU = { size: catalogueSize("iab-300x250"), motion: "static", format: "png" } as const;
const SIZES = SIZE_IDS.map(catalogueSize);

async function failureOf(given: Partial<PackInputs> & Pick<PackInputs, "assets">): Promise<RenderFailure> {
  const prepared = await renderer.prepare(inputsOf({ copy: COPY, ...given }));
  if (prepared.ok) {
    prepared.value.close();
    throw new Error("it was prepared");
  }
  return prepared;
}

/** A whole sentence that names the fault and contains no internal terms. */
function expectSentence(message: string, named: RegExp): void {
  expect(message).toMatch(named);
  expect(message).toMatch(/^[A-Z].{20,300}[.!]$/);
  expect(message).not.toMatch(/undefined|null|NaN|\[object|Error:|unreachable|RuntimeError|\b0x[0-9a-f]/);
}

/** All sizes as PNG; each must be drawn. */
const drawAll = (inputs: PackInputs): Promise<readonly RenderedOutput[]> =>
  withPack(inputs, async (pack) => {
    const outputs: RenderedOutput[] = [];
    for (const size of SIZES) outputs.push(await draw(pack, { size, motion: "static", format: "jpg" }));
    return outputs;
  });

function expectLegible(outputs: readonly RenderedOutput[]): void {
  for (const { sizeId, layout } of outputs) {
    const size = catalogueSize(sizeId);
    for (const { role, box, contrastRatio, fontSizePx } of layout.elements) {
      const name = `${role} of ${sizeId}`;
      if (fontSizePx === undefined && role !== "cta") continue;
      expect(contrastRatio ?? 0, name).toBeGreaterThanOrEqual(CONTRAST_MIN);
      expect(box.x >= 0 && box.y >= 0, name).toBe(true);
      expect(box.x + box.width <= size.width && box.y + box.height <= size.height, name).toBe(true);
    }
  }
}

describe("a picture with a valid header that cannot be decoded fails with the name of its slot", () => {
  const damage = async (format: "jpeg" | "png" | "webp"): Promise<AssetBytes> => {
    const photo = sharp(readSample("dandelion-turned.jpg")).resize(700, 700);
    const bytes = Uint8Array.from(
      await (format === "jpeg" ? photo.jpeg() : format === "png" ? photo.png() : photo.webp()).toBuffer(),
    );
    // Keeps the header and damages the compressed data.
    for (let at = Math.floor(bytes.length * 0.3); at < bytes.length * 0.9; at++) {
      bytes[at] = (Math.imul(at, 2_654_435_761) >>> 13) & 0xfe;
    }
    return { bytes, mimeType: `image/${format}` };
  };

  it.each(["jpeg", "png", "webp"] as const)("%s", async (format) => {
    const media = await damage(format);
    const prepared = await renderer.prepare(inputsOf({ assets: { media }, copy: COPY }));
    if (prepared.ok) {
      // A decoder may conceal damage; then the picture is still whole and its text legible.
      const output = await draw(prepared.value, MPU);
      prepared.value.close();
      expectLegible([output]);
      return;
    }
    expect(prepared.code).toBe("ASSET_UNREADABLE");
    expectSentence(prepared.message, /media/);
  });
});

it("a truncated font is rejected with FONT_UNREADABLE", async () => {
  const font = readSample("fonts/bricolage-grotesque-extrabold.ttf").slice(0, 700);
  const failure = await failureOf({ assets: { logo: sampleAsset("logo.svg") }, font });
  expect(failure.code).toBe("FONT_UNREADABLE");
  expectSentence(failure.message, /font/i);
});

describe("a logo or font that no pack can use is detected before an order", () => {
  const svg = (content: string): Uint8Array => svgAsset("0 0 90 30", content).bytes;
  const failureIn = async (bytes: Uint8Array, mimeType: ImageType | FontType) =>
    (await renderer.findFailure(bytes.slice(), mimeType))?.code ?? "drawn";

  it.each([
    ["a font", "drawn", "font/ttf", fixtureFile("fonts/boxes.ttf")],
    ["a truncated font", "FONT_UNREADABLE", "font/ttf", fixtureFile("fonts/cut-short-inside.ttf")],
    ["a font with 0 units per em", "FONT_UNREADABLE", "font/ttf", fixtureFile("fonts/units-per-em-0.ttf")],
    [
      "a font with a letter 32 ems wide",
      "FONT_UNREADABLE",
      "font/ttf",
      fixtureFile("fonts/letter-of-32-ems.ttf"),
    ],
    [
      "a logo of a line that vanishes when drawn small",
      "drawn",
      "image/svg+xml",
      svg('<path d="M0 15h90v.03h-90z"/>'),
    ],
    ["a transparent logo", "ASSET_EMPTY", "image/svg+xml", svg('<rect width="9" height="9" fill="none"/>')],
    [
      "a logo outside its picture",
      "ASSET_EMPTY",
      "image/svg+xml",
      svg('<rect x="99" width="9" height="9"/>'),
    ],
    [
      "a logo with a control character, which the rasteriser rejects",
      "ASSET_UNREADABLE",
      "image/svg+xml",
      svg('<rect id="\u0002" width="9" height="9"/>'),
    ],
  ] as const)("%s: %s", async (_name, code, mimeType, bytes) => {
    expect(await failureIn(bytes, mimeType)).toBe(code);
  });

  it("a transparent or damaged PNG", async () => {
    const codes: string[] = [];
    for (const colour of ["#090909", "#09090900"]) {
      const { bytes, mimeType } = await solidPng(200, 200, colour);
      codes.push(await failureIn(bytes, mimeType), await failureIn(bytes.fill(0, 60, 80), mimeType));
    }
    expect(codes).toEqual(["drawn", "ASSET_UNREADABLE", "ASSET_EMPTY", "ASSET_UNREADABLE"]);
  });

  it.each(["ttf", "otf", "svg", "png"] as const)(
    "a damaged file that passes every check is drawn in a pack: %s",
    async (kind) => {
      const random = seededRandom(12);
      const seeds = (await allSeeds())[kind];
      const pick = () => seeds[Math.floor(random() * seeds.length)]?.bytes ?? new Uint8Array();
      const mimeType = MIME_TYPES[kind];
      let drawn = 0;
      // Few damaged SVGs stay well formed.
      for (let times = 0; times < (kind === "svg" ? 40 : 12); times += 1) {
        const bytes = mutate(kind, pick(), pick(), random);
        if (!inspect(bytes, mimeType).ok) continue;
        if ((await failureIn(bytes, mimeType)) !== "drawn") continue;
        drawn += 1;
        const logo = isImageType(mimeType) ? { bytes, mimeType } : sampleAsset("logo.svg");
        const font = isImageType(mimeType) ? null : bytes;
        await withPack(inputsOf({ assets: { logo }, copy: COPY, font }), (pack) => draw(pack, MPU));
      }
      expect(drawn).toBeGreaterThan(0);
    },
  );
});

it.each([
  ["no width", `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="40"><path d="M0 0h9v9z"/></svg>`],
  ["an empty view box", svgAsset("0 0 0 0", '<path d="M0 0h9v9z"/>').bytes],
  ["no content", svgAsset("0 0 90 30", "").bytes],
  ["a shape without area", svgAsset("0 0 90 30", '<rect x="3" y="3" width="0" height="9"/>').bytes],
])("an SVG without area is rejected, and the message names the logo: %s", async (_, svg) => {
  const bytes = typeof svg === "string" ? new TextEncoder().encode(svg) : svg;
  const failure = await failureOf({ assets: { logo: { bytes, mimeType: "image/svg+xml" } } });
  expect(["ASSET_UNREADABLE", "ASSET_EMPTY"]).toContain(failure.code);
  // The message may say "SVG", because only a logo can be one.
  expectSentence(failure.message, /logo|SVG/);
});

describe("text that is too long for any line is set whole or rejected", () => {
  it("one word of 90 characters", async () => {
    const headline =
      "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsverwalter".slice(
        0,
        90,
      );
    expect([...headline]).toHaveLength(90);
    const assets = { media: sampleAsset("dandelion-turned.jpg") };
    await withPack(inputsOf({ assets, copy: { headline } }), async (pack) => {
      for (const size of SIZES) {
        const drawn = await renderer.render(pack, { size, motion: "static", format: "jpg" });
        if (!drawn.ok) {
          expect(drawn.code).toBe("HEADLINE_DOES_NOT_FIT");
          // The caller adds the size's name.
          expectSentence(drawn.message, /headline/);
          continue;
        }
        expectLegible([drawn.value]);
        const lines = drawn.value.layout.elements.find((element) => element.role === "headline")?.lines ?? [];
        expect(lines.join("").replace(/[-\u00ad\u2010]/g, "")).toBe(headline);
      }
    });
  });

  it("emoji, control characters and lone combining marks do not fail a render", async () => {
    const assets = { logo: sampleAsset("logo.svg") };
    const copy = { headline: "\u0301\u202e\u2066a\ufffd\u200d b\u0000c\n\td", cta: "\u00a0" };
    const prepared = await renderer.prepare(inputsOf({ assets, copy }));
    if (!prepared.ok) return expectSentence(prepared.message, /\w/);
    const drawn = await renderer.render(prepared.value, MPU);
    prepared.value.close();
    if (!drawn.ok) expectSentence(drawn.message, /\w/);
  });
});

it("characters missing in all fonts are reported once, before drawing", async () => {
  const copy = { headline: "Ελαφρύ 光 ភ", subheadline: "نور", cta: "ភ Jetzt 𒀀", disclaimer: "光 ½" };
  const missing = ["ភ", "𒀀"];
  const inBundled = await renderer.characterNeeds(null, [copy]);
  expect(inBundled).toEqual({ ok: true, value: { missing, libraryFiles: 2 } });
  const arabic = renderer.indexCharacters(readSample("fonts/tajawal-bold.ttf"));
  const inUploaded = await renderer.characterNeeds(arabic, [copy]);
  expect(inUploaded).toEqual({ ok: true, value: { missing, libraryFiles: 1 } });
});

describe("a logo in the colour of its background is made visible", () => {
  it.each([
    ["brand colour", { backgroundColor: "#1c4433" }],
    ["its own second colour", { backgroundColor: "#c98a1f" }],
  ])("%s", async (_, brand) => {
    const flat = `<rect width="300" height="90" rx="45" fill="${brand.backgroundColor}"/>`;
    const logo = svgAsset("0 0 300 90", flat);
    const outputs = await drawAll(
      inputsOf({ assets: { logo, product: sampleAsset("bottle.png") }, copy: COPY, brand }),
    );
    expectLegible(outputs);
    for (const output of outputs) {
      const placed = output.layout.elements.find((element) => element.role === "logo");
      if (placed === undefined) {
        expect(output.layout.adjustments.map((one) => one.element)).toContain("logo");
        continue;
      }
      const { x, y, width, height } = placed.box;
      const pixels = await sharp(fileOf(output).bytes).removeAlpha().raw().toBuffer();
      const canvasWidth = fileOf(output).width;
      const lightnessAt = (column: number, row: number) => {
        const at = (Math.round(row) * canvasWidth + Math.round(column)) * 3;
        return (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0);
      };
      const inside = lightnessAt(x + width / 2, y + height / 2);
      const beside = lightnessAt(x + width / 2, Math.max(0, y - 2));
      expect(Math.abs(inside - beside), output.sizeId).toBeGreaterThan(100);
    }
  });
});

describe("an empty picture or pack is rejected with a message that names it", () => {
  it.each(["product", "person", "logo"] as const)("a fully transparent %s", async (slot) => {
    const failure = await failureOf({ assets: { [slot]: await solidPng(600, 600, "#00000000") } });
    expect(failure.code).toBe("ASSET_EMPTY");
    expectSentence(failure.message, new RegExp(`${slot}.*transparent`));
  });

  it("no visual slot at all", async () => {
    const failure = await failureOf({ assets: {} });
    expect(failure.code).toBe("NO_VISUAL_ASSET");
    expectSentence(failure.message, /slot/);
  });
});

describe("a photo of one colour makes a plain, legible output", () => {
  it.each(["#ffffff", "#000000", "#808080", "#ff0000"])("%s", async (colour) => {
    const media = await solidPng(900, 700, colour);
    expectLegible(await drawAll(inputsOf({ assets: { media, logo: sampleAsset("logo.svg") }, copy: COPY })));
  });
});
