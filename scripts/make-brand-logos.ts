/**
 * Draws the marks of seven of the gallery's eight invented brands into samples/brands (samples/logo.svg is the eighth's):
 * npx node scripts/make-brand-logos.ts
 * Letters are outlines of the looks' fonts (SIL Open Font License 1.1); the rest is drawn for this project.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { createEngine } from "#renderer/engine.ts";
import { openFontFile } from "#renderer/type/font-file.ts";
import { coordinatesOf, VERB } from "#renderer/vector/path.ts";
import { fontLibrary, loadCodecModules } from "../test/support/node-modules.ts";
import { Failure, runScript } from "./local/failure.ts";
import { inRoot } from "./local/paths.ts";

interface Mark {
  readonly name: string;
  readonly font: string;
  readonly letters: string;
  readonly colour: string;
  /** Between letters, in em. */
  readonly trackingEm: number;
  /** Drawn before the letters, in a square of 100 units at their height; with its width. */
  readonly sign?: { readonly svg: string; readonly width: number };
  /** A filled shape behind everything, and its colour. */
  readonly plate?: { readonly colour: string; readonly radius: number };
}

const MARKS: readonly Mark[] = [
  {
    name: "kerb",
    font: "sofia-sans-extra-condensed-black",
    letters: "KERB/",
    colour: "#111111",
    trackingEm: 0.01,
  },
  { name: "maren", font: "noto-serif-display-medium", letters: "Maren", colour: "#1d1a16", trackingEm: 0 },
  {
    name: "oda",
    font: "jost-light",
    letters: "oda",
    colour: "#1f2a27",
    trackingEm: 0.14,
    sign: {
      svg: '<circle cx="44" cy="56" r="40" fill="none" stroke="#1f2a27" stroke-width="5"/><circle cx="44" cy="56" r="9" fill="#1f2a27"/>',
      width: 118,
    },
  },
  {
    name: "tango",
    font: "archivo-black-regular",
    letters: "tango",
    colour: "#ffffff",
    trackingEm: -0.03,
    plate: { colour: "#d9001b", radius: 26 },
  },
  {
    name: "aurelle",
    font: "marcellus-regular",
    letters: "AURELLE",
    colour: "#e7d3a6",
    trackingEm: 0.2,
  },
  {
    name: "bobble",
    font: "fredoka-bold",
    letters: "bobble",
    colour: "#4a2be0",
    trackingEm: 0,
    sign: {
      svg: '<circle cx="34" cy="66" r="34" fill="#e0336f"/><circle cx="74" cy="26" r="17" fill="#4a2be0"/>',
      width: 112,
    },
  },
  {
    name: "strada",
    font: "sofia-sans-extra-condensed-black",
    letters: "STRADA",
    colour: "#0b1f8f",
    trackingEm: 0.04,
    sign: {
      svg: '<path d="M0 100 40 0h26L26 100zM46 100 86 0h26L72 100z" fill="#0b1f8f"/>',
      width: 134,
    },
  },
];

/** Height of capitals, in units of the drawing. */
const CAP_HEIGHT = 100;
const PADDING = 34;

const engine = createEngine(await loadCodecModules());

async function drawMark({ font, letters, colour, trackingEm, sign, plate }: Mark): Promise<string> {
  const opened = openFontFile(engine.modules, await fontLibrary.load(`${font}.ttf`));
  if (!opened.ok) throw new Failure(opened.message);
  const face = opened.value.regular;
  face.grant(1_000_000_000);
  const scale = CAP_HEIGHT / face.metrics.capHeight;
  const run = { start: 0, end: letters.length, script: "Latn", isRightToLeft: false };
  const data: string[] = [];
  let pen = 0;
  let [left, right, top, bottom] = [Infinity, -Infinity, 0, CAP_HEIGHT];
  for (const { glyph, advance, offsetX } of face.shape(letters, run, trackingEm !== 0)) {
    const { path, extent } = face.outline(glyph);
    const x = (unit: number) => (pen + offsetX + unit) * scale;
    const y = (unit: number) => CAP_HEIGHT + unit * scale;
    if (extent !== null) {
      [left, right] = [Math.min(left, x(extent.left)), Math.max(right, x(extent.right))];
      [top, bottom] = [Math.min(top, y(extent.top)), Math.max(bottom, y(extent.bottom))];
    }
    data.push(pathData(path, x, y));
    pen += advance + trackingEm * face.unitsPerEm;
  }
  const signWidth = sign?.width ?? 0;
  const pad = plate === undefined ? 0 : PADDING;
  const box = {
    x: left - signWidth - pad,
    y: top - pad,
    width: right - left + signWidth + pad * 2,
    height: bottom - top + pad * 2,
  };
  const rounded = (value: number) => Math.round(value * 10) / 10;
  const { x, y, width, height } = box;
  const behind =
    plate === undefined
      ? ""
      : `<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}" rx="${plate.radius}" fill="${plate.colour}"/>`;
  const before =
    sign === undefined ? "" : `<g transform="translate(${rounded(left - signWidth)} 0)">${sign.svg}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${[x, y, width, height].map(rounded).join(" ")}">${behind}${before}<path fill="${colour}" d="${data.join("")}"/></svg>\n`;
}

const COMMANDS = new Map<number, string>([
  [VERB.move, "M"],
  [VERB.line, "L"],
  [VERB.quad, "Q"],
  [VERB.cubic, "C"],
  [VERB.close, "Z"],
]);

function pathData(
  { verbs, points }: { readonly verbs: Uint8Array; readonly points: Float64Array },
  x: (unit: number) => number,
  y: (unit: number) => number,
): string {
  const parts: string[] = [];
  let at = 0;
  for (const verb of verbs) {
    const count = coordinatesOf(verb);
    const numbers = Array.from({ length: count }, (_, i) => {
      const value = points[at + i] ?? 0;
      return (i % 2 === 0 ? x(value) : y(value)).toFixed(1);
    });
    parts.push(`${COMMANDS.get(verb) ?? ""}${numbers.join(" ")}`);
    at += count;
  }
  return parts.join("");
}

await runScript(async () => {
  await mkdir(inRoot("samples/brands"), { recursive: true });
  for (const mark of MARKS) {
    await writeFile(inRoot(`samples/brands/${mark.name}.svg`), await drawMark(mark));
    console.log(`samples/brands/${mark.name}.svg`);
  }
});
