import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { inspect } from "../../src/renderer/decode/inspect.ts";
import { createEngine } from "../../src/renderer/engine.ts";
import { rasteriseSvg, readSvg, type SafeSvg } from "../../src/renderer/svg/index.ts";
import type { Raster } from "../../src/renderer/types.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { seededRandom } from "../support/pictures.ts";

const engine = createEngine(await loadCodecModules());
const RECT = '<rect width="5" height="5"/>';
const wrap = (inside: string, attributes = 'viewBox="0 0 10 10"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}${RECT}</svg>`;

function read(source: string): SafeSvg {
  const svg = readSvg(Buffer.from(source));
  if (!svg.ok) throw new Error(svg.message);
  return svg.value;
}

async function draw(svg: SafeSvg, width: number, height: number): Promise<Raster> {
  const raster = await rasteriseSvg(engine, svg, width, height);
  if (!raster.ok) throw new Error(raster.message);
  return raster.value;
}

function codeOf(source: string): string {
  const inspected = inspect(Buffer.from(source), "image/svg+xml");
  return inspected.ok ? "ok" : inspected.code;
}

describe("logos as drawing programs write them look as in the reference renderer", () => {
  it.each([
    [
      "Illustrator: document type, class selectors, gradients",
      '<?xml version="1.0" encoding="UTF-8"?><!-- Generator --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 200 100" xml:space="preserve"><defs><style>.cls-1{fill:#e11d48;opacity:.5}.cls-2,.cls-3{fill:url(#g);}</style><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" style="stop-color:blue"/></linearGradient></defs><rect class="cls-1" width="100" height="100"/><circle class="cls-2" cx="150" cy="50" r="40"/></svg>',
    ],
    [
      "Figma: clip path and fill rules",
      '<svg width="200" height="100" viewBox="0 0 200 100" fill="none" xmlns="http://www.w3.org/2000/svg"><g clip-path="url(#c)"><path fill-rule="evenodd" clip-rule="evenodd" d="M0 0H200V100H0ZM40 20H160V80H40Z" fill="#0A7"/></g><defs><clipPath id="c"><rect width="150" height="90" fill="white"/></clipPath></defs></svg>',
    ],
    [
      "Inkscape: foreign namespaces, metadata, use",
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="x" xmlns:sodipodi="y" width="200px" height="100px" viewBox="0 0 200 100" inkscape:version="1.3"><sodipodi:namedview id="n"><inkscape:grid/></sodipodi:namedview><metadata><rdf>note</rdf></metadata><title>Logo</title><g inkscape:label="Layer" style="fill:#123456;stroke:#f80;stroke-width:4"><path id="p" d="M20 20 L80 20 50 80z" inkscape:connector="a"/></g><use xlink:href="#p" transform="translate(90 0)"/></svg>',
    ],
  ])("%s", async (_name, source) => {
    const svg = read(source);
    expect(svg.width / svg.height).toBeCloseTo(2);
    const raster = await draw(svg, 200, 100);
    expect(raster).toMatchObject({ width: 200, height: 100, alpha: "premultiplied" });
    const reference = await sharp(Buffer.from(source)).resize(200, 100).ensureAlpha().raw().toBuffer();
    let sum = 0;
    for (let at = 0; at < reference.length; at++) {
      const alpha = at % 4 === 3 ? 255 : (reference[at - (at % 4) + 3] ?? 0);
      sum += Math.abs((raster.pixels[at] ?? 0) - ((reference[at] ?? 0) * alpha) / 255);
    }
    expect(sum / reference.length).toBeLessThan(0.5);
  });

  it("the intrinsic size keeps physical units, and the picture fills exactly what is asked", async () => {
    const svg = read('<svg width="10mm" height="20mm"><rect width="100%" height="100%" fill="#f00"/></svg>');
    expect(svg.height).toBeCloseTo((20 * 96) / 25.4);
    const raster = await draw(svg, 33, 17);
    expect([...raster.pixels.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
    expect([...raster.pixels.subarray(-4)]).toEqual([255, 0, 0, 255]);
  });
});

describe("content that runs, reaches out or declares entities is FORBIDDEN_CONTENT", () => {
  it.each([
    ["a script", wrap("<script>1</script>")],
    ["a script behind a prefix", wrap("<svg:script>1</svg:script>")],
    ["an event handler", wrap('<g onload="x()"/>')],
    ["foreign content", wrap("<foreignObject><p/></foreignObject>")],
    ["a use of another file", wrap('<use href="http://example.com/a.svg#b"/>')],
    ["a fill from another file", wrap('<path d="M0 0" fill="url(http://example.com/a#b)"/>')],
    ["a fill in a style", wrap('<path d="M0 0" style="fill:url( \'//example.com\' )"/>')],
    ["an escaped address", wrap('<path d="M0 0" style="fill:u\\72l(//example.com)"/>')],
    ["an import", wrap('<style>@import "a.css";</style>')],
    ["a style sheet instruction", `<?xml-stylesheet href="a.css"?>${wrap("")}`],
    ["a script link", wrap('<a href="javascript:alert(1)"/>')],
    ["an entity from outside", `<!DOCTYPE svg [<!ENTITY a SYSTEM "b">]>${wrap("")}`],
    ["an unknown entity", wrap("<desc>&a;</desc>")],
    ["a group that uses itself", wrap('<g id="a"><use href="#a"/></g>')],
    [
      "a pattern filled with itself",
      wrap('<pattern id="p"><rect width="1" height="1" fill="url(#p)"/></pattern>'),
    ],
  ])("%s", (_name, source) => {
    expect(codeOf(source)).toBe("FORBIDDEN_CONTENT");
  });
});

describe("what would cost too much to draw is TOO_LARGE", () => {
  const chain = Array.from(
    { length: 9 },
    (_, level) => `<g id="a${level + 1}">${`<use href="#a${level}"/>`.repeat(10)}</g>`,
  );
  it.each([
    ["10^9 uses", wrap(`<defs><g id="a0">${RECT}</g>${chain.join("")}</defs><use href="#a9"/>`)],
    ["deep nesting", wrap("<g>".repeat(100) + "</g>".repeat(100))],
    ["many elements", wrap("<g/>".repeat(10_001))],
    ["layers in layers", wrap('<g opacity=".5">'.repeat(20) + "</g>".repeat(20))],
    ["layers by a class", wrap(`<style>.l{opacity:.5}</style>${'<g class="l"/>'.repeat(500)}`)],
    ["a huge blur", wrap('<filter id="f"><feGaussianBlur stdDeviation="1000"/></filter>')],
    ["dashes without end", wrap('<path stroke-dasharray="1e-6" d="M0 0L10 10"/>')],
    ["dashes set on a group", wrap('<g style="stroke-dasharray:0.00001"><path d="M0 0L10 10"/></g>')],
  ])("%s", (_name, source) => {
    expect(codeOf(source)).toBe("TOO_LARGE");
  });
});

describe("what every row of pixels would have to step through is bounded by the length of its edges", () => {
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

  it("as many points along short edges are drawn", () => {
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

describe("what cannot be drawn faithfully is refused with what to do", () => {
  it.each([
    ["live text", wrap("<text>Logo</text>"), /outlines/],
    ["a bitmap", wrap('<image href="data:image/png;base64,AAAA"/>'), /bitmap/],
    ["no size", wrap("", ""), /viewBox/],
    ["a selector that looks at other elements", wrap("<style>g > path{fill:red}</style>"), /class selectors/],
  ])("%s", (_name, source, message) => {
    const svg = readSvg(Buffer.from(source));
    expect(svg).toMatchObject({ ok: false, code: "ASSET_UNREADABLE" });
    if (!svg.ok) expect(svg.message).toMatch(message);
  });

  it("nothing to draw is empty", () => {
    expect(readSvg(Buffer.from('<svg viewBox="0 0 1 1"/>'))).toMatchObject({
      ok: false,
      code: "ASSET_EMPTY",
    });
  });
});

it("damaged SVGs give a result, and the next one is drawn right; seed 7", async () => {
  const source = wrap(
    '<style>.a{fill:url(#g)}</style><linearGradient id="g"><stop/></linearGradient><path class="a" d="M1 1L9 9 1 9z"/>',
  );
  const good = await draw(read(source), 50, 50);
  const random = seededRandom(7);
  const spare = "<>\"'=/;:#(){}&0a \n-e";
  for (let round = 0; round < 300; round++) {
    const characters = [...source];
    for (let change = 0; change < 3; change++) {
      characters[Math.floor(random() * characters.length)] = spare[Math.floor(random() * spare.length)] ?? "";
    }
    const svg = readSvg(Buffer.from(characters.join("")));
    if (svg.ok) await rasteriseSvg(engine, svg.value, 50, 50);
  }
  expect((await draw(read(source), 50, 50)).pixels).toEqual(good.pixels);
});
