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
 * Guarantee: a logo as a drawing program writes it is drawn as it looks in that program. What it holds beside the
 * picture is left out, and what would be missing from the picture is refused with what to do.
 */

const FOLDER = join(import.meta.dirname, "../fixtures/svg");
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
const BLUE = '<rect width="100" height="50" fill="#00f"/>';

/** The one colour of a picture, or the code with which it is refused. */
async function colourOf(source: string): Promise<string> {
  const bytes = Buffer.from(source);
  const inspected = inspect(bytes, "image/svg+xml");
  if (!inspected.ok) return inspected.code;
  const [red, , blue] = await draw(bytes, 20, 10);
  return red === 255 ? "red" : blue === 255 ? "blue" : "neither";
}

describe("files as programs write them look as in the reference renderer", () => {
  // Another renderer of element-tree.svg is not at hand: ours cannot tell by its name that it is an SVG.
  const files = readdirSync(FOLDER).filter((name) => name !== "element-tree.svg");
  it.each(files)("%s", async (name) => {
    const bytes = readFileSync(join(FOLDER, name));
    const reference = await sharp(bytes).resize(240, 120, { fit: "fill" }).ensureAlpha().raw().toBuffer();
    expect(difference(await draw(bytes), reference)).toBeLessThan(1);
  });

  it("element-tree.svg looks as the same picture without prefixes", async () => {
    const bytes = readFileSync(join(FOLDER, "element-tree.svg"));
    const plain = bytes
      .toString()
      .replaceAll("ns0:", "")
      .replace("xmlns:ns0", "xmlns")
      .replaceAll("ns1:", "");
    expect(Buffer.compare(await draw(bytes), await draw(Buffer.from(plain)))).toBe(0);
  });
});

it("the intrinsic size keeps physical units, and the picture fills exactly what is asked", async () => {
  const bytes = Buffer.from(
    '<svg width="10mm" height="20mm"><rect width="100%" height="100%" fill="#f00"/></svg>',
  );
  expect(readSvg(bytes)).toMatchObject({ ok: true, value: { height: expect.closeTo((20 * 96) / 25.4) } });
  const pixels = await draw(bytes, 33, 17);
  expect([...pixels.subarray(0, 4), ...pixels.subarray(-4)]).toEqual([255, 0, 0, 255, 255, 0, 0, 255]);
});

describe("a viewport of other proportions than the view box is filled as a browser fills it", () => {
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

describe("a switch draws the first of its children that passes", () => {
  it.each([
    ["one without conditions", `<switch>${RED}${BLUE}</switch>`, "red"],
    [
      "not one that needs an extension",
      `<switch><g requiredExtensions="urn:a">${RED}</g>${BLUE}</switch>`,
      "blue",
    ],
    [
      "not one that needs an extension without a name",
      `<switch><g requiredExtensions="">${RED}</g>${BLUE}</switch>`,
      "blue",
    ],
    ["not one in another language", `<switch><g systemLanguage="de, fr">${RED}</g>${BLUE}</switch>`, "blue"],
    ["one in English", `<switch><g systemLanguage="de,en-GB">${RED}</g>${BLUE}</switch>`, "red"],
    ["whatever features it needs", `<switch><g requiredFeatures="urn:a">${RED}</g>${BLUE}</switch>`, "red"],
    [
      "what stands for foreign content",
      `<switch><foreignObject><p/></foreignObject>${BLUE}</switch>`,
      "blue",
    ],
    ["not what describes it", `<switch><title>a</title><desc/><metadata/>${BLUE}</switch>`, "blue"],
    ["words that are not chosen need no font", `<switch>${BLUE}<text>Logo</text></switch>`, "blue"],
    [
      "a definition in what is not chosen can be used",
      `<switch><g systemLanguage="de">${RED}<g><linearGradient id="g"><stop stop-color="#00f"/></linearGradient></g></g><rect width="100" height="50" fill="url(#g)"/></switch>`,
      "blue",
    ],
    ["a condition outside of a switch", `${BLUE}<g requiredExtensions="urn:a">${RED}</g>`, "blue"],
    [
      "a switch in a switch",
      `<switch><switch systemLanguage="de">${RED}</switch><switch>${BLUE}${RED}</switch></switch>`,
      "blue",
    ],
    ["nothing", `<switch><g systemLanguage="de">${RED}</g></switch>`, "EMPTY"],
    [
      "foreign content without anything for it",
      `<switch><foreignObject><p/></foreignObject></switch>`,
      "FORBIDDEN_CONTENT",
    ],
    ["words", `<switch><foreignObject/><text>Logo</text></switch>${RED}`, "UNSUPPORTED"],
    [
      "a script is refused also where it is not chosen",
      `<switch>${RED}<script>1</script></switch>`,
      "FORBIDDEN_CONTENT",
    ],
  ])("%s", async (_name, content, expected) => {
    expect(await colourOf(svg(content))).toBe(expected);
  });
});

describe("what draws nothing is left out", () => {
  const MARKER = '<marker id="m"><path d="M0 0h1"/></marker>';
  it.each([
    ["a marker that nothing asks for", `${MARKER}${RED}`],
    ["a marker that is asked for none", `${MARKER}<g style="marker:none;marker-end:none">${RED}</g>`],
    ["a marker that there is not", `<g marker-end="url(#m)">${RED}</g>`],
    ["a text without words", `${RED}<text> \n<tspan x="1"> </tspan><tspan/></text>`],
    ["a flowed text without words", `${RED}<flowRoot><flowRegion><rect/></flowRegion><flowPara/></flowRoot>`],
    ["elements of other namespaces", `${RED}<a:b xmlns:a="urn:a"><a:c/>words</a:b><c xmlns="urn:c"><d/></c>`],
    ["a font", `${RED}<defs><font><glyph d="M0 0"/></font></defs>`],
  ])("%s", async (_name, content) => {
    expect(await colourOf(svg(content))).toBe("red");
  });

  it.each([
    ["a marker that is put on a line", `${MARKER}<path d="M0 0h9" marker-end="url(#m)"/>`, /markers/],
    [
      "a marker that a style sheet asks for",
      `<style>.a{marker-mid:url(#m)}</style>${MARKER}<path class="a" d="M0 0h9"/>`,
      /markers/,
    ],
    ["words in a span", "<text><tspan>Logo</tspan></text>", /outlines/],
    ["words in a flowed text", "<flowRoot><flowPara>Logo</flowPara></flowRoot>", /outlines/],
    ["words from elsewhere", '<text><tref xlink:href="#a"/></text>', /outlines/],
  ])("%s is refused", (_name, content, message) => {
    const read = readSvg(Buffer.from(svg(content + RED)));
    expect(read).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });
});

describe("a document type", () => {
  const declared = (subset: string, content = RED, root = ""): string =>
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a>[b].dtd" [${subset}]>${svg(content, `viewBox="0 0 100 50" ${root}`)}`;

  it.each([
    [
      "an entity in an attribute",
      '<!ENTITY st0 "fill:#f00;">',
      '<rect width="100" height="50" style="&st0;"/>',
    ],
    ["an entity for a namespace", '<!ENTITY ns "urn:a">', `<a:b xmlns:a="&ns;"/>${RED}`],
    [
      "of two declarations the first",
      '<!ENTITY a "#f00"><!ENTITY a "#00f">',
      '<rect width="100" height="50" fill="&a;"/>',
    ],
    ["XML's own entities stay", '<!ENTITY amp "&#38;#38;">', `<title>&amp;</title>${RED}`],
    ["characters by number", '<!ENTITY a "&#35;f0&#x30;">', '<rect width="100" height="50" fill="&a;"/>'],
    [
      "declarations of elements and attributes",
      `<!ELEMENT svg ANY><!ATTLIST svg a CDATA #FIXED "]>"><!NOTATION n PUBLIC 'n'><!-- ]> --><?a ]>?>`,
      RED,
    ],
  ])("%s", async (_name, subset, content) => {
    expect(await colourOf(declared(subset, content))).toBe("red");
  });

  it.each([
    ["an entity outside the file", '<!ENTITY a SYSTEM "file:///etc/passwd">'],
    ["a public entity", '<!ENTITY a PUBLIC "a" "http://example.com/a">'],
    ["a parameter entity", '<!ENTITY % a "b">'],
    ["a reference to one", "%a;"],
    ["an entity of entities", '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">'],
    ["an entity of markup", '<!ENTITY a "&#60;script/>">'],
  ])("%s is FORBIDDEN_CONTENT", async (_name, subset) => {
    expect(await colourOf(declared(subset))).toBe("FORBIDDEN_CONTENT");
  });

  it("entities come to a bounded length", async () => {
    const long = `<!ENTITY a "${"b".repeat(1_000)}">`;
    expect(await colourOf(declared(long, `<title>${"&a;".repeat(1_000)}</title>${RED}`))).toBe("red");
    expect(await colourOf(declared(long, `<title>${"&a;".repeat(1_100)}</title>${RED}`))).toBe("TOO_LARGE");
  });
});

describe("styles hold in the order of the cascade", () => {
  it.each([
    ["a sheet over an attribute", "<style>rect{fill:#f00}</style>", 'fill="#00f"'],
    ["an element's own over a sheet", "<style>#a{fill:#00f}</style>", 'id="a" style="fill:#f00"'],
    [
      "an id over a class over an element",
      "<style>#a{fill:#f00}.b{fill:#00f}rect{fill:#00f}</style>",
      'id="a" class="b"',
    ],
    ["of equals the later", "<style>.a{fill:#00f}.b{fill:#00f}.a{fill:#f00}</style>", 'class="b a"'],
    ["more parts over fewer", "<style>rect.a{fill:#f00}.a{fill:#00f}</style>", 'class="a"'],
    [
      "what is important over an element's own",
      "<style>rect{fill:#f00!important}</style>",
      'style="fill:#00f"',
    ],
    [
      "an element's own importance over a sheet's",
      "<style>#a{fill:#00f !important}</style>",
      'id="a" style="fill:#f00 !important"',
    ],
  ])("%s", async (_name, sheet, attributes) => {
    expect(await colourOf(svg(`${sheet}<rect width="100" height="50" ${attributes}/>`))).toBe("red");
  });
});
