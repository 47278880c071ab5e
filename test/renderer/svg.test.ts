import { describe, expect, it } from "vitest";
import { inspect } from "#renderer/decode/inspect.ts";
import { readSvg } from "#renderer/svg/index.ts";
import { PIXEL_PASSES_MAX } from "#renderer/svg/limits.ts";
import { seededRandom } from "../support/pictures.ts";

const RECT = '<rect width="5" height="5"/>';
const wrap = (inside: string, attributes = 'viewBox="0 0 10 10"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}${RECT}</svg>`;

function codeOf(source: string): string {
  const inspected = inspect(Buffer.from(source), "image/svg+xml");
  return inspected.ok ? "ok" : inspected.code;
}

describe("an SVG that would cost too much to draw is TOO_LARGE", () => {
  it.each([
    ["deep nesting", wrap("<g>".repeat(100) + "</g>".repeat(100))],
    ["many elements", wrap("<g/>".repeat(10_001))],
    ["nested layers", wrap('<g opacity=".5">'.repeat(20) + "</g>".repeat(20))],
    ["layers by a class", wrap(`<style>.l{opacity:.5}</style>${'<g class="l"/>'.repeat(500)}`)],
    ["dashes set on a group", wrap('<g style="stroke-dasharray:0.00001"><path d="M0 0L10 10"/></g>')],
  ])("%s", (_name, source) => {
    expect(codeOf(source)).toBe("TOO_LARGE");
  });
});

describe("the work of filters is bounded, not their number", () => {
  const boxes = (count: number, filter: string, side: number): string =>
    wrap(
      `<filter id="f">${filter}</filter>${`<rect width="${side}" height="${side}" filter="url(#f)"/>`.repeat(count)}`,
      'viewBox="0 0 100 100"',
    );
  const BLUR = '<feGaussianBlur stdDeviation="2"/>';
  const DILATE = '<feMorphology operator="dilate" radius="2"/>';

  it.each([
    ["60 shadows of small parts", "ok", boxes(60, BLUR, 5)],
    ["60 blurs of the whole picture", "TOO_LARGE", boxes(60, BLUR, 100)],
    ["390 blurs of a tenth of the area of the picture", "TOO_LARGE", boxes(390, BLUR, 31)],
    ["a blur of a fifth of the picture", "ok", boxes(1, '<feGaussianBlur stdDeviation="20"/>', 50)],
    [
      "a blur wider than half of the picture",
      "TOO_LARGE",
      boxes(1, '<feGaussianBlur stdDeviation="51"/>', 50),
    ],
    ["outlines by a small radius", "ok", boxes(20, DILATE, 20)],
    ["a radius of a third of the picture", "TOO_LARGE", boxes(1, DILATE.replace("2", "33"), 100)],
    [
      "a small radius that a transform makes large",
      "TOO_LARGE",
      wrap(
        `<filter id="f">${DILATE}</filter><g transform="scale(99)"><rect width="1" height="1" filter="url(#f)"/></g>`,
      ),
    ],
  ])("%s: %s", (_, code, source) => {
    expect(codeOf(source)).toBe(code);
  });

  it("with any number, size and radius, an accepted picture is drawn within the bound", () => {
    const random = seededRandom(23);
    const draws = { ok: 0, refused: 0 };
    for (let times = 0; times < 200; times += 1) {
      const [count, side, radius] = [Math.ceil(random() * 390), 2 + random() * 98, random() * random() * 20];
      const svg = readSvg(Buffer.from(boxes(count, `${BLUR}<feMorphology radius="${radius}"/>`, side)));
      draws[svg.ok ? "ok" : "refused"] += 1;
      if (!svg.ok) continue;
      const filtered = svg.value.pixelsMax * count * (side / 100) ** 2;
      const taps = (2 * radius * Math.sqrt(svg.value.pixelsMax / 100 ** 2)) ** 2;
      // Measured weights: a blur costs as much as 50 fills, a pixel of the radius as much as a quarter of a fill.
      expect(filtered * (50 + taps / 4)).toBeLessThanOrEqual(PIXEL_PASSES_MAX);
    }
    expect(draws.ok).toBeGreaterThan(20);
    expect(draws.refused).toBeGreaterThan(20);
  });
});

describe("the work per row of pixels is bounded by the length of edges", () => {
  const tangle = (points: number, paint: string) => {
    const random = seededRandom(points);
    const at = () => `${Math.round(random() * 1_000)} ${Math.round(random() * 1_000)}`;
    const line = `M${at()}L${Array.from({ length: points - 1 }, at).join(" ")}`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000"><path d="${line}" ${paint}/></svg>`;
  };
  const STROKED = `fill="none" stroke="#036" stroke-width="80" stroke-linejoin="round"`;

  it.each([
    ["14,000 points, stroked", tangle(14_000, STROKED)],
    ["100,000 points, filled", tangle(100_000, `fill="#036"`)],
    [
      "the same in small units, drawn large",
      tangle(14_000, `${STROKED} transform="scale(1000)"`).replaceAll(/(\d+) (\d+)(?=[L ])/g, "0.$1 0.$2"),
    ],
  ])("%s all over the picture: TOO_LARGE", (_, source) => {
    expect(codeOf(source)).toBe("TOO_LARGE");
  });

  it("the same number of points along short edges is drawn", () => {
    const spiral = Array.from({ length: 14_000 }, (_, step) => {
      const reach = 480 * (step / 14_000);
      return `${(500 + reach * Math.cos(step / 200)).toFixed(1)} ${(500 + reach * Math.sin(step / 200)).toFixed(1)}`;
    });
    expect(
      codeOf(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000"><path d="M${spiral.join("L")}" ${STROKED}/></svg>`,
      ),
    ).not.toBe("TOO_LARGE");
  });
});

describe("an SVG that cannot be drawn faithfully is rejected with advice", () => {
  it.each([
    ["live text", wrap("<text>Logo</text>"), /<text> element.*outlines.*Create Outlines/],
    ["a bitmap", wrap('<image href="data:image/png;base64,AAAA"/>'), /bitmap/],
    ["no size", wrap("", ""), /viewBox/],
    [
      "a selector that depends on other elements",
      wrap("<style>g > path{fill:red}</style>"),
      /class selectors/,
    ],
  ])("%s", (_name, source, message) => {
    const svg = readSvg(Buffer.from(source));
    expect(svg).toMatchObject({ ok: false, code: "ASSET_UNREADABLE" });
    if (!svg.ok) expect(svg.message).toMatch(message);
  });

  it("an SVG with nothing to draw is empty", () => {
    expect(readSvg(Buffer.from('<svg viewBox="0 0 1 1"/>'))).toMatchObject({
      ok: false,
      code: "ASSET_EMPTY",
    });
  });
});
