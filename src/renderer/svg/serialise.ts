import type { CleanElement } from "./clean-element.ts";
import { WRITTEN_CHARACTERS_MAX } from "./limits.ts";

/** Writes clean elements and their descendants as markup; null when it is longer than WRITTEN_CHARACTERS_MAX. */
export function serialiseElements(elements: readonly CleanElement[]): string | null {
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

/** Properties that the rasteriser reads only as attributes. Styles are already cascaded, so both ways mean the same. */
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
