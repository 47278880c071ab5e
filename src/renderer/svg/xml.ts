import { type Entities, expandEntities, readDoctype } from "./doctype.ts";
import {
  ATTRIBUTES_MAX,
  DEPTH_MAX,
  ELEMENTS_MAX,
  forbidden,
  refuse,
  type SvgRefusal,
  tooLarge,
  type WorkBudget,
} from "./limits.ts";
import { isSvgElement, type Namespaces, NO_NAMESPACES, namespacesWithin, readHref } from "./namespaces.ts";
import { isDigit, isLetter, Scanner } from "./scanner.ts";

/** An element of SVG's namespace. */
export interface XmlElement {
  /** Without a prefix. */
  readonly name: string;
  /** By name as written in the file. If only `xlink:href` is written, `href` has its value too. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Children in SVG's namespace. Elements of drawing programs' own namespaces are dropped with their descendants. */
  readonly children: readonly XmlElement[];
  /** The text of a `<style>` element; empty for others. */
  readonly text: string;
  /** Whether the element, or a text element inside it, has text other than white space. */
  readonly hasWords: boolean;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
  hasWords: boolean;
}

/** An open element. `element` is null for other namespaces. */
interface Open {
  readonly writtenName: string;
  readonly element: OpenElement | null;
  readonly namespaces: Namespaces;
}

interface Tag {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly isEmpty: boolean;
}

const UNKNOWN_ENTITY = forbidden(
  "The SVG uses an entity that it does not declare. Export it again as plain SVG.",
);
const CUT_IN_TAG = refuse("TRUNCATED", "The SVG ends in the middle of a tag.");
const CUT_IN_DECLARATION = refuse("TRUNCATED", "The SVG ends in the middle of a comment or a declaration.");
const NOT_XML = refuse("NOT_WHAT_IT_CLAIMS", "The SVG is not well-formed XML.");

/**
 * Reads XML 1.0 into a tree of SVG's elements. Skips comments and processing instructions; `readDoctype` reads a
 * document type. Reads the file once, without recursion.
 */
export function parseXml(
  source: string,
  steps: WorkBudget,
): { readonly ok: true; readonly root: XmlElement } | SvgRefusal {
  const scanner = new Scanner(source, steps);
  scanner.take("\uFEFF");
  return new XmlReader(scanner).read();
}

class XmlReader {
  readonly #scanner: Scanner;
  readonly #open: Open[] = [];
  #entities: Entities | null = null;
  #elements = 0;
  #hasRoot = false;
  #root: XmlElement | null = null;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  read(): { readonly ok: true; readonly root: XmlElement } | SvgRefusal {
    while (!this.#scanner.isAtEnd) {
      const refusal = this.#readText() ?? (this.#scanner.isAtEnd ? null : this.#readMarkup());
      if (refusal !== null) return refusal;
    }
    if (!this.#hasRoot) return refuse("NOT_WHAT_IT_CLAIMS", "The file has no SVG element.");
    if (this.#open.length > 0) return refuse("TRUNCATED", "The SVG ends before its elements are closed.");
    if (this.#root === null) return refuse("NOT_WHAT_IT_CLAIMS", "The file's first element is not of SVG.");
    return { ok: true, root: this.#root };
  }

  #readText(): SvgRefusal | null {
    const written = this.#scanner.takeWhile((code) => code !== LESS_THAN);
    if (written === "") return null;
    const text = expandEntities(written, this.#entities, this.#scanner.steps);
    if (text === null) return UNKNOWN_ENTITY;
    if (typeof text !== "string") return text;
    return this.#keepText(text);
  }

  #keepText(text: string): SvgRefusal | null {
    const parent = this.#open.at(-1);
    this.#scanner.steps.take(text.length);
    const isBlank = text.trim() === "";
    if (parent === undefined) {
      return isBlank ? null : refuse("NOT_WHAT_IT_CLAIMS", "There is text outside the SVG element.");
    }
    const { element } = parent;
    if (element === null || isBlank) return null;
    element.hasWords = true;
    if (element.name === "style") element.text += text;
    return null;
  }

  #readMarkup(): SvgRefusal | null {
    const scanner = this.#scanner;
    if (scanner.take("<!--")) return scanner.takeUntil("-->") === null ? CUT_IN_DECLARATION : null;
    if (scanner.take("<![CDATA[")) {
      const text = scanner.takeUntil("]]>");
      return text === null ? CUT_IN_DECLARATION : this.#keepText(text);
    }
    if (scanner.take("<?xml-stylesheet")) {
      return forbidden("The SVG refers to a style sheet outside the file.");
    }
    if (scanner.take("<?")) return scanner.takeUntil("?>") === null ? CUT_IN_DECLARATION : null;
    if (scanner.take("<!DOCTYPE")) {
      if (this.#hasRoot || this.#entities !== null) return NOT_XML;
      const entities = readDoctype(scanner);
      if ("ok" in entities) return entities;
      this.#entities = entities;
      return null;
    }
    return scanner.take("</") ? this.#readEndTag() : this.#readStartTag();
  }

  #readEndTag(): SvgRefusal | null {
    const name = this.#scanner.takeWhile(isNameCharacter);
    this.#scanner.skipSpace();
    if (this.#scanner.isAtEnd) return CUT_IN_TAG;
    const closed = this.#open.pop();
    if (!this.#scanner.take(">") || closed === undefined || closed.writtenName !== name) return NOT_XML;
    this.#passWordsOn(closed.element);
    return null;
  }

  /** Marks the parent of a text span as having words if the span has words. */
  #passWordsOn(ended: XmlElement | null): void {
    const parent = this.#open.at(-1)?.element ?? null;
    if (ended?.hasWords && parent !== null && SPANS.has(ended.name)) parent.hasWords = true;
  }

  #readStartTag(): SvgRefusal | null {
    const parent = this.#open.at(-1);
    if (this.#hasRoot && parent === undefined) return NOT_XML;
    const tag = this.#readTag();
    if ("ok" in tag) return tag;
    this.#elements += 1;
    if (this.#elements > ELEMENTS_MAX)
      return tooLarge(`The SVG has more than ${ELEMENTS_MAX} elements. Simplify it.`);
    const namespaces = namespacesWithin(
      parent?.namespaces ?? NO_NAMESPACES,
      tag.attributes,
      this.#scanner.steps,
    );
    const element = parent?.element === null ? null : this.#elementOf(tag, namespaces);
    if (element !== null) {
      parent?.element?.children.push(element);
      if (!this.#hasRoot) this.#root = element;
    }
    this.#hasRoot = true;
    if (tag.isEmpty) this.#passWordsOn(element);
    else this.#open.push({ writtenName: tag.name, element, namespaces });
    if (this.#open.length > DEPTH_MAX)
      return tooLarge(`The SVG nests deeper than ${DEPTH_MAX} elements. Ungroup it.`);
    return null;
  }

  /** Null for an element of another namespace. */
  #elementOf({ name, attributes }: Tag, namespaces: Namespaces): OpenElement | null {
    if (!isSvgElement(name, namespaces, this.#scanner.steps)) return null;
    const href = readHref(attributes, namespaces, this.#scanner.steps);
    if (href !== undefined) attributes.set("href", href);
    const localName = name.slice(name.indexOf(":") + 1);
    return {
      name: localName,
      attributes,
      children: [],
      text: "",
      // A `<tref>` shows the words of another element.
      hasWords: localName === "tref",
    };
  }

  #readTag(): Tag | SvgRefusal {
    const scanner = this.#scanner;
    scanner.skip(1);
    if (!isNameStart(scanner.peek())) return scanner.isAtEnd ? CUT_IN_TAG : NOT_XML;
    const name = scanner.takeWhile(isNameCharacter);
    const attributes = new Map<string, string>();
    for (;;) {
      const isSpaced = scanner.skipSpace();
      if (scanner.isAtEnd) return CUT_IN_TAG;
      if (scanner.take(">")) return { name, attributes, isEmpty: false };
      if (scanner.take("/>")) return { name, attributes, isEmpty: true };
      if (!isSpaced || !isNameStart(scanner.peek())) return NOT_XML;
      const refusal = this.#readAttribute(attributes);
      if (refusal !== null) return refusal;
    }
  }

  #readAttribute(attributes: Map<string, string>): SvgRefusal | null {
    const scanner = this.#scanner;
    const key = scanner.takeWhile(isNameCharacter);
    scanner.skipSpace();
    const hasEquals = scanner.take("=");
    scanner.skipSpace();
    if (scanner.isAtEnd) return CUT_IN_TAG;
    const quote = scanner.take('"') ? '"' : scanner.take("'") ? "'" : null;
    if (!hasEquals || quote === null || attributes.has(key)) return NOT_XML;
    const written = scanner.takeUntil(quote);
    if (written === null) return CUT_IN_TAG;
    scanner.steps.take(written.length);
    if (written.includes("<")) return NOT_XML;
    if (attributes.size >= ATTRIBUTES_MAX) {
      return tooLarge(`An element of the SVG has more than ${ATTRIBUTES_MAX} attributes.`);
    }
    const value = expandEntities(written, this.#entities, scanner.steps);
    if (value === null) return UNKNOWN_ENTITY;
    if (typeof value !== "string") return value;
    attributes.set(key, value);
    return null;
  }
}

const LESS_THAN = "<".charCodeAt(0);

/** Text spans, whose words count as words of their parent. */
const SPANS: ReadonlySet<string> = new Set([
  "tspan",
  "tref",
  "textPath",
  "altGlyph",
  "a",
  "flowPara",
  "flowSpan",
  "flowDiv",
  "flowLine",
  "flowRegionBreak",
]);

const isNameStart = (code: number): boolean => isLetter(code) || code === 95 || code >= 0x80;
const isNameCharacter = (code: number): boolean =>
  isNameStart(code) || isDigit(code) || code === 46 || code === 58 || code === 45;
