import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { inspect } from "#renderer/decode/inspect.ts";
import { createEngine } from "#renderer/engine.ts";
import { rasteriseSvg, readSvg } from "#renderer/svg/index.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { unwrap } from "../support/unwrap.ts";

/**
 * Guarantee: a logo is drawn as in the drawing program that wrote it. Content besides the picture is ignored;
 * unsupported parts of the picture are rejected with advice.
 */

const FOLDER = join(import.meta.dirname, "../fixtures/svg");
const OUTCOMES = join(import.meta.dirname, "../fixtures/svg-outcomes");
const engine = createEngine(await loadCodecModules());

async function draw(bytes: Uint8Array, width = 240, height = 120): Promise<Uint8Array> {
  const svg = unwrap(readSvg(bytes));
  const raster = unwrap(await rasteriseSvg(engine, svg, width, height));
  return new Uint8Array(raster.pixels);
}

/** Mean difference from another renderer's picture, in 255ths. */
function difference(pixels: Uint8Array, reference: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const alpha = at % 4 === 3 ? 255 : (reference[at - (at % 4) + 3] ?? 0);
    sum += Math.abs((pixels[at] ?? 0) - ((reference[at] ?? 0) * alpha) / 255);
  }
  return sum / reference.length;
}

const svg = (content: string, attributes = 'viewBox="0 0 100 50"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;
const RED = '<rect width="100" height="50" fill="#f00"/>';

/** The colour of a picture, or its rejection code. */
async function outcomeOf(source: string): Promise<string> {
  const bytes = Buffer.from(source);
  const inspected = inspect(bytes, "image/svg+xml");
  if (!inspected.ok) return inspected.code;
  const [red, , blue] = await draw(bytes, 20, 10);
  return red === 255 ? "red" : blue === 255 ? "blue" : "neither";
}

describe("files as programs write them match the reference renderer", () => {
  // element-tree.svg has no reference picture: the other renderer does not recognise it as an SVG.
  const files = readdirSync(FOLDER).filter((name) => name !== "element-tree.svg");
  it.each(files)("%s", async (name) => {
    const bytes = readFileSync(join(FOLDER, name));
    const reference = await sharp(bytes).resize(240, 120, { fit: "fill" }).ensureAlpha().raw().toBuffer();
    expect(difference(await draw(bytes), reference)).toBeLessThan(1);
  });

  it("element-tree.svg matches the same picture without prefixes", async () => {
    const bytes = readFileSync(join(FOLDER, "element-tree.svg"));
    const plain = bytes
      .toString()
      .replaceAll("ns0:", "")
      .replace("xmlns:ns0", "xmlns")
      .replaceAll("ns1:", "");
    expect(Buffer.compare(await draw(bytes), await draw(Buffer.from(plain)))).toBe(0);
  });
});

it("the intrinsic size keeps physical units, and the picture fills the requested size", async () => {
  const bytes = Buffer.from(
    '<svg width="10mm" height="20mm"><rect width="100%" height="100%" fill="#f00"/></svg>',
  );
  expect(readSvg(bytes)).toMatchObject({ ok: true, value: { height: expect.closeTo((20 * 96) / 25.4) } });
  const pixels = await draw(bytes, 33, 17);
  expect([...pixels.subarray(0, 4), ...pixels.subarray(-4)]).toEqual([255, 0, 0, 255, 255, 0, 0, 255]);
});

describe("a viewport of another aspect than the view box is filled as in a browser", () => {
  // The small squares lie outside the view box, left of it and below it; the line is as wide as the view box.
  const artwork =
    '<rect width="40" height="40" fill="#0a0"/><rect x="-15" y="5" width="10" height="10" fill="#f00"/><rect x="25" y="45" width="10" height="10" fill="#00f"/><rect y="18" width="100%" height="10%"/>';
  it.each([
    ["higher", 'width="120" height="240"'],
    ["wider", 'width="240" height="120"'],
    ["wider, at the left", 'width="240" height="120" preserveAspectRatio="xMinYMid"'],
    ["higher, at the bottom", 'width="120" height="240" preserveAspectRatio="xMidYMax meet"'],
    ["cut", 'width="240" height="120" preserveAspectRatio="xMidYMin slice"'],
    ["stretched", 'width="240" height="120" preserveAspectRatio="none"'],
    ["by one side alone", 'width="120" height="100%"'],
    ["almost as wide", 'width="121" height="120"'],
  ])("%s", async (_name, attributes) => {
    const bytes = Buffer.from(svg(artwork, `viewBox="0 0 40 40" ${attributes}`));
    const reference = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = reference.info;
    expect(readSvg(bytes)).toMatchObject({ ok: true, value: { width, height } });
    expect(difference(await draw(bytes, width, height), reference.data)).toBeLessThan(1);
  });
});

/** The folder's name is the result: the colour that its files are drawn in, or the rejection code. */
describe.each(readdirSync(OUTCOMES))("%s", (outcome) => {
  it.each(readdirSync(join(OUTCOMES, outcome)))("%s", async (name) => {
    expect(await outcomeOf(readFileSync(join(OUTCOMES, outcome, name), "utf8"))).toBe(outcome);
  });
});

describe("an unsupported part of the picture", () => {
  const MARKER = '<marker id="m"><path d="M0 0h1"/></marker>';
  it.each([
    ["a marker that is put on a line", `${MARKER}<path d="M0 0h9" marker-end="url(#m)"/>`, /markers/],
    [
      "a marker set by a style sheet",
      `<style>.a{marker-mid:url(#m)}</style>${MARKER}<path class="a" d="M0 0h9"/>`,
      /markers/,
    ],
    ["text in a span", "<text><tspan>Logo</tspan></text>", /outlines/],
    ["text in a flow root", "<flowRoot><flowPara>Logo</flowPara></flowRoot>", /outlines/],
    ["words from elsewhere", '<text><tref xlink:href="#a"/></text>', /outlines/],
  ])("%s is rejected", (_name, content, message) => {
    const read = readSvg(Buffer.from(svg(content + RED)));
    expect(read).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });
});

it("entities of a document type expand to a bounded length", async () => {
  const using = (times: number): string =>
    `<!DOCTYPE svg [<!ENTITY a "${"b".repeat(1_000)}">]>${svg(`<title>${"&a;".repeat(times)}</title>${RED}`)}`;
  expect(await outcomeOf(using(1_000))).toBe("red");
  expect(await outcomeOf(using(1_100))).toBe("TOO_LARGE");
});
