import { ATTRIBUTES_MAX, DEPTH_MAX, ELEMENTS_MAX } from "./limits.ts";
import { refuse, type SvgRefusal } from "./refusal.ts";

export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Character data directly inside. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

const NAME = /[A-Za-z_][A-Za-z0-9_.:-]*/y;
const ATTRIBUTE = /\s+([A-Za-z_][A-Za-z0-9_.:-]*)\s*=\s*("[^"<]*"|'[^'<]*')/y;
const TAG_END = /\s*(\/?)>/y;
const CLOSING = /<\/([A-Za-z_][A-Za-z0-9_.:-]*)\s*>/y;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/**
 * Reads a small, strict part of XML 1.0 into a tree: elements, attributes, text, CDATA. Comments and
 * processing instructions are skipped. A document type without declarations of its own is skipped too
 * (drawing programs write one); one with declarations is refused, as are entities beyond the five predefined.
 */
export function parseXml(source: string): { readonly ok: true; readonly root: XmlElement } | SvgRefusal {
  let at = source.startsWith("\uFEFF") ? 1 : 0;
  let elements = 0;
  let root: OpenElement | null = null;
  const open: OpenElement[] = [];

  while (at < source.length) {
    const parent = open.at(-1);
    const bracket = source.indexOf("<", at);
    const textEnd = bracket < 0 ? source.length : bracket;
    if (textEnd > at) {
      const text = decodeEntities(source.slice(at, textEnd));
      if (text === null)
        return refuse("FORBIDDEN_CONTENT", "The SVG uses an entity that XML does not define.");
      if (parent !== undefined) parent.text += text;
      else if (text.trim() !== "")
        return refuse("NOT_WHAT_IT_CLAIMS", "There is text outside the SVG element.");
    }
    if (bracket < 0) break;
    at = bracket;
    if (source.startsWith("<!--", at)) {
      at = after(source, "-->", at + 4);
    } else if (source.startsWith("<![CDATA[", at)) {
      const end = after(source, "]]>", at + 9);
      if (parent !== undefined && end > 0) parent.text += source.slice(at + 9, end - 3);
      at = end;
    } else if (source.startsWith("<?", at)) {
      if (source.startsWith("<?xml-stylesheet", at)) {
        return refuse("FORBIDDEN_CONTENT", "The SVG refers to a style sheet outside the file.");
      }
      at = after(source, "?>", at + 2);
    } else if (source.startsWith("<!DOCTYPE", at)) {
      const end = source.indexOf(">", at);
      const declaration = source.slice(at, end < 0 ? source.length : end);
      if (root !== null || declaration.includes("[")) {
        return refuse("FORBIDDEN_CONTENT", "The SVG declares entities or a document type of its own.");
      }
      at = end + 1;
    } else if (source.startsWith("</", at)) {
      CLOSING.lastIndex = at;
      const closing = CLOSING.exec(source);
      if (closing === null || parent === undefined || closing[1] !== parent.name) {
        return malformed(source, at);
      }
      open.pop();
      at = CLOSING.lastIndex;
    } else {
      if (root !== null && parent === undefined) return malformed(source, at);
      const tag = readTag(source, at);
      if (tag === null) return malformed(source, at);
      elements += 1;
      if (elements > ELEMENTS_MAX)
        return refuse("TOO_LARGE", `The SVG has more than ${ELEMENTS_MAX} elements.`);
      root ??= tag.element;
      parent?.children.push(tag.element);
      if (!tag.isEmpty) open.push(tag.element);
      if (open.length > DEPTH_MAX)
        return refuse("TOO_LARGE", `The SVG nests deeper than ${DEPTH_MAX} elements.`);
      at = tag.end;
    }
    if (at <= 0) return refuse("TRUNCATED", "The SVG ends in the middle of a comment or a declaration.");
  }
  if (root === null) return refuse("NOT_WHAT_IT_CLAIMS", "The file has no SVG element.");
  if (open.length > 0) return refuse("TRUNCATED", "The SVG ends before its elements are closed.");
  return { ok: true, root };
}

function malformed(source: string, at: number): SvgRefusal {
  if (!source.includes(">", at)) return refuse("TRUNCATED", "The SVG ends in the middle of a tag.");
  return refuse("NOT_WHAT_IT_CLAIMS", "The SVG is not well-formed XML.");
}

/** Index after `mark`, or 0 when it is missing. */
function after(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found < 0 ? 0 : found + mark.length;
}

function readTag(
  source: string,
  start: number,
): { readonly element: OpenElement; readonly isEmpty: boolean; readonly end: number } | null {
  NAME.lastIndex = start + 1;
  const name = NAME.exec(source)?.[0];
  if (name === undefined) return null;
  const attributes = new Map<string, string>();
  let at = NAME.lastIndex;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(source);
    if (found === null) break;
    const [, key = "", quoted = ""] = found;
    const value = decodeEntities(quoted.slice(1, -1));
    if (value === null || attributes.has(key) || attributes.size >= ATTRIBUTES_MAX) return null;
    attributes.set(key, value);
    at = ATTRIBUTE.lastIndex;
  }
  TAG_END.lastIndex = at;
  const end = TAG_END.exec(source);
  if (end === null) return null;
  return {
    element: { name, attributes, children: [], text: "" },
    isEmpty: end[1] === "/",
    end: TAG_END.lastIndex,
  };
}

const REFERENCE = /&([^;&]{0,10});?/y;

/** Spells out character references; null at the first that XML does not define. */
function decodeEntities(text: string): string | null {
  let decoded = "";
  let at = 0;
  for (let mark = text.indexOf("&"); mark >= 0; mark = text.indexOf("&", at)) {
    REFERENCE.lastIndex = mark;
    const name = REFERENCE.exec(text)?.[1] ?? "";
    const code = name.startsWith("#x")
      ? Number.parseInt(name.slice(2), 16)
      : Number.parseInt(name.slice(1), 10);
    const spelled = name.startsWith("#") ? fromCodePoint(code) : ENTITIES[name];
    if (spelled === undefined) return null;
    decoded += text.slice(at, mark) + spelled;
    at = REFERENCE.lastIndex;
  }
  return at === 0 ? text : decoded + text.slice(at);
}

function fromCodePoint(code: number): string | undefined {
  return code >= 0x20 && code <= 0xd7ff ? String.fromCodePoint(code) : undefined;
}
