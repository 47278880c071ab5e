import { affordablePixels } from "./affordable.ts";
import { SHAPES } from "./allowlist.ts";
import { type CleanElement, cleanElement, writeElement } from "./clean.ts";
import { refuseCostly } from "./cost.ts";
import { type IntrinsicSize, readIntrinsicSize } from "./intrinsic-size.ts";
import { ASPECT_MAX, BYTES_MAX } from "./limits.ts";
import { refuse, type SvgRefusal } from "./refusal.ts";
import { parseStyleSheet } from "./style-sheet.ts";
import { parseXml, type XmlElement } from "./xml.ts";

/** An SVG rebuilt from allowlisted parts only. */
export interface SafeSvg {
  /** Width and height as the file states them, in CSS pixels; the proportions to keep. */
  readonly width: number;
  readonly height: number;
  /** Markup of what the root holds. */
  readonly content: string;
  readonly viewBox: IntrinsicSize["viewBox"];
  /** The most pixels on which it can be drawn in the time and memory there is. */
  readonly pixelsMax: number;
}

/** Reads untrusted bytes as an SVG; total and bounded. */
export function sanitiseSvg(bytes: Uint8Array): { readonly ok: true; readonly value: SafeSvg } | SvgRefusal {
  if (bytes.length === 0) return refuse("EMPTY", "The file is empty.");
  if (bytes.length > BYTES_MAX) return refuse("TOO_LARGE", `An SVG may have at most ${BYTES_MAX} bytes.`);
  const source = decodeText(bytes);
  if (source === null) return refuse("UNSUPPORTED", "The SVG is not in UTF-8. Save it in that encoding.");
  const parsed = parseXml(source);
  if (!parsed.ok) return parsed;
  const { root } = parsed;
  if (root.name !== "svg" && root.name !== "svg:svg") {
    return refuse(
      "NOT_WHAT_IT_CLAIMS",
      `The file's first element is <${root.name.slice(0, 40)}>, not <svg>.`,
    );
  }
  const sheet = parseStyleSheet(styleTextOf(root));
  if (!sheet.ok) return sheet;
  const cleaned = cleanElement(root, sheet.rules);
  if (cleaned === null) return refuse("NOT_WHAT_IT_CLAIMS", "The file has no SVG element.");
  if ("ok" in cleaned) return cleaned;
  const size = readIntrinsicSize(cleaned.attributes);
  if (size === null)
    return refuse("UNSUPPORTED", "The SVG states no size. Give it a viewBox, or a width and a height.");
  if (Math.max(size.width / size.height, size.height / size.width) > ASPECT_MAX) {
    return refuse("UNSUPPORTED", `The SVG's sides differ by more than ${ASPECT_MAX} times.`);
  }
  const costly = refuseCostly(cleaned, Math.max(size.viewBox[2], size.viewBox[3]));
  if (costly !== null) return costly;
  const affordable = affordablePixels(cleaned, size.viewBox);
  if (typeof affordable !== "number") return affordable;
  if (!holdsShape(cleaned)) return refuse("EMPTY", "The SVG draws nothing.");
  const group: CleanElement = {
    name: "g",
    attributes: new Map(),
    style: new Map([...cleaned.style].filter(([property]) => property !== "overflow")),
    children: cleaned.children,
  };
  return {
    ok: true,
    value: {
      width: size.width,
      height: size.height,
      viewBox: size.viewBox,
      content: writeElement(group),
      pixelsMax: affordable,
    },
  };
}

function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function styleTextOf(element: XmlElement): string {
  const own = element.name === "style" || element.name === "svg:style" ? element.text : "";
  return own + element.children.map(styleTextOf).join("\n");
}

function holdsShape(element: CleanElement): boolean {
  return SHAPES.has(element.name) || element.children.some(holdsShape);
}
