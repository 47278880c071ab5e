import { SHAPES } from "./allowlist.ts";
import { type CleanDocument, cleanDocument } from "./clean-document.ts";
import type { CleanElement } from "./clean-element.ts";
import { type IntrinsicSize, readIntrinsicSize } from "./intrinsic-size.ts";
import {
  ASPECT_MAX,
  BYTES_MAX,
  CANVASES_PX_MAX,
  COORDINATES_MAX,
  DRAWN_ELEMENTS_MAX,
  DRAWN_PX_MAX,
  EDGE_SIDES_MAX,
  PIXEL_BUDGET_MIN,
  PIXEL_PASSES_MAX,
  refuse,
  STROKED_COORDINATES_MAX,
  STROKED_COORDINATES_PER_OUTLINE_MAX,
  type SvgRefusal,
  tooLarge,
  unsupported,
  type WorkBudget,
  WorkBudgetExceeded,
  WRITTEN_CHARACTERS_MAX,
  workBudgetFor,
} from "./limits.ts";
import { measureRasterCost } from "./raster-cost.ts";
import { refuseBlur, refuseCostly } from "./reference-limits.ts";
import { parseStyleSheet } from "./style-sheet.ts";
import { parseXml, type XmlElement } from "./xml.ts";

/** An SVG rebuilt from allowlisted parts only. */
export interface SafeSvg {
  /** Width and height from the file, in CSS pixels; only their proportions matter. */
  readonly width: number;
  readonly height: number;
  /** Markup of the root's children. */
  readonly content: string;
  readonly viewBox: IntrinsicSize["viewBox"];
  /** Maximum number of pixels at which the picture can be drawn in bounded time and memory. */
  readonly pixelsMax: number;
}

export type Sanitised = { readonly ok: true; readonly value: SafeSvg } | SvgRefusal;

const TOO_INTRICATE = tooLarge(
  "The SVG takes too much work to read for its size. Simplify it, or export it again as plain SVG.",
);

/** Reads untrusted bytes as an SVG. Never throws on bad input; `steps` bounds the work. */
export function sanitiseSvg(bytes: Uint8Array, steps: WorkBudget = workBudgetFor(bytes.length)): Sanitised {
  if (bytes.length === 0) return refuse("EMPTY", "The file is empty.");
  if (bytes.length > BYTES_MAX) return tooLarge(`An SVG may have at most ${BYTES_MAX} bytes.`);
  try {
    return sanitise(bytes, steps);
  } catch (thrown) {
    if (thrown instanceof WorkBudgetExceeded) return TOO_INTRICATE;
    throw thrown;
  }
}

function sanitise(bytes: Uint8Array, steps: WorkBudget): Sanitised {
  const source = decodeText(bytes);
  if (source === null) return unsupported("The SVG is not in UTF-8. Save it in that encoding.");
  const parsed = parseXml(source, steps);
  if (!parsed.ok) return parsed;
  const { root } = parsed;
  if (root.name !== "svg") {
    return refuse(
      "NOT_WHAT_IT_CLAIMS",
      `The file's first element is <${root.name.slice(0, 40)}>, not <svg>.`,
    );
  }
  const sheet = parseStyleSheet(styleTextOf(root, steps), steps);
  if (!sheet.ok) return sheet;
  const cleaned = cleanDocument(root, sheet.sheet, steps);
  if (!cleaned.ok) return cleaned;
  const { document } = cleaned;
  const size = readIntrinsicSize(document.root.attributes, steps);
  if (size === null)
    return unsupported("The SVG states no size. Give it a viewBox, or a width and a height.");
  if (Math.max(size.width / size.height, size.height / size.width) > ASPECT_MAX) {
    return unsupported(`The SVG's sides differ by more than ${ASPECT_MAX} times.`);
  }
  const costly = refuseCostly(document, Math.max(size.shown[2], size.shown[3]), steps);
  if (costly !== null) return costly;
  const affordable = pixelBudget(document, size.shown, steps);
  if (typeof affordable !== "number") return affordable;
  if (!document.elements.some(({ name }) => SHAPES.has(name))) {
    return refuse("EMPTY", "The SVG draws nothing.");
  }
  const content = serialiseElements([contentOf(document.root, size)]);
  if (content === null) return TOO_INTRICATE;
  return {
    ok: true,
    value: {
      width: size.width,
      height: size.height,
      viewBox: size.viewBox,
      content,
      pixelsMax: affordable,
    },
  };
}

/**
 * The root's children, in a group with the root's style. The view box spans the whole picture, so that percentages
 * refer to it; the group moves the visible part of the plane into the view box.
 */
const contentOf = ({ style, targets, children }: CleanElement, size: IntrinsicSize): CleanElement => ({
  name: "g",
  attributes: transformOf(size),
  style: new Map([...style].filter(([property]) => property !== "overflow")),
  targets,
  children,
  characters: 0,
});

function transformOf({ viewBox, shown }: IntrinsicSize): ReadonlyMap<string, string> {
  const [across, down] = [viewBox[2] / shown[2], viewBox[3] / shown[3]];
  if (viewBox === shown) return new Map();
  const moved = [across, 0, 0, down, viewBox[0] - shown[0] * across, viewBox[1] - shown[1] * down];
  return new Map([["transform", `matrix(${moved.join(" ")})`]]);
}

function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** All style sheets of a picture, in the order of the file. */
function styleTextOf(root: XmlElement, steps: WorkBudget): string {
  const sheets: string[] = [];
  const pending = [root];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    steps.take();
    if (element.name === "style") sheets.push(element.text);
    for (let at = element.children.length - 1; at >= 0; at -= 1) {
      const child = element.children[at];
      if (child !== undefined) pending.push(child);
    }
  }
  return sheets.join("\n");
}

/**
 * Maximum number of pixels at which a clean picture without reference cycles can be drawn in bounded time and memory.
 * The rasteriser cannot be interrupted and its time is not known beforehand, so its work is estimated. Rejects a
 * picture that could only be drawn too small to be of use.
 */
function pixelBudget(
  document: CleanDocument,
  viewBox: IntrinsicSize["viewBox"],
  steps: WorkBudget,
): number | SvgRefusal {
  const cost = measureRasterCost(document, viewBox, steps);
  if (cost === null) {
    return tooLarge(
      `The SVG draws more than ${DRAWN_ELEMENTS_MAX} elements once its references are followed.`,
    );
  }
  const isIntricate =
    cost.coordinates > COORDINATES_MAX ||
    cost.edgeSides > EDGE_SIDES_MAX ||
    cost.strokedCoordinates > STROKED_COORDINATES_MAX ||
    cost.strokedCoordinatesMax > STROKED_COORDINATES_PER_OUTLINE_MAX;
  if (isIntricate) {
    return tooLarge("The SVG's outlines have too many points or dashes. Simplify them and export again.");
  }
  const blurred = refuseBlur(cost.blurMax, Math.max(viewBox[2], viewBox[3]));
  if (blurred !== null) return blurred;
  // The number of pixels at which passes × pixels + passesPerPixel × pixels² reaches the maximum.
  const passes = Math.max(1, cost.passes);
  const root = Math.sqrt(passes ** 2 + 4 * cost.passesPerPixel * PIXEL_PASSES_MAX);
  const pixels = Math.floor(
    Math.min(DRAWN_PX_MAX, (2 * PIXEL_PASSES_MAX) / (passes + root), CANVASES_PX_MAX / cost.canvases),
  );
  if (pixels >= PIXEL_BUDGET_MIN) return pixels;
  return tooLarge(
    "The SVG has too many transparent, filtered or overlapping shapes. Flatten it and export again.",
  );
}

/** Writes clean elements and their descendants as markup; null when it is longer than WRITTEN_CHARACTERS_MAX. */
function serialiseElements(elements: readonly CleanElement[]): string | null {
  const written: string[] = [];
  let characters = 0;
  const stack = [{ elements, next: 0, end: "" }];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const element = frame.elements[frame.next];
    frame.next += 1;
    const isLast = element === undefined;
    const piece = isLast ? frame.end : `<${element.name}${writeAttributes(element)}>`;
    characters += piece.length;
    if (characters > WRITTEN_CHARACTERS_MAX) return null;
    written.push(piece);
    if (isLast) stack.pop();
    else stack.push({ elements: element.children, next: 0, end: `</${element.name}>` });
  }
  return written.join("");
}

/**
 * Properties that the rasteriser reads only as attributes. Styles are already cascaded, so an attribute has the same
 * effect as a style.
 */
const WRITTEN_AS_ATTRIBUTES: ReadonlySet<string> = new Set(["mask-type"]);

function writeAttributes({ attributes, style }: CleanElement): string {
  let written = "";
  for (const [key, value] of attributes) {
    written += ` ${key === "href" ? "xlink:href" : key}="${escapeText(value)}"`;
  }
  const declarations: string[] = [];
  for (const [property, value] of style) {
    if (WRITTEN_AS_ATTRIBUTES.has(property)) written += ` ${property}="${escapeText(value)}"`;
    else declarations.push(`${property}:${value}`);
  }
  return declarations.length === 0 ? written : `${written} style="${escapeText(declarations.join(";"))}"`;
}

const escapeText = (value: string): string =>
  value.replaceAll("&", "&#38;").replaceAll("<", "&#60;").replaceAll(">", "&#62;").replaceAll('"', "&#34;");
