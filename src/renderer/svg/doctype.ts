import {
  ENTITIES_MAX,
  ENTITY_NAME_MAX,
  ENTITY_VALUE_MAX,
  EXPANDED_CHARACTERS_MAX,
  forbidden,
  refuse,
  type SvgRefusal,
  tooLarge,
  type WorkBudget,
} from "./limits.ts";
import { isSpace, Scanner } from "./scanner.ts";

export interface Entities {
  readonly values: ReadonlyMap<string, string>;
  /** Remaining characters that entity references may expand to in this file. */
  charactersLeft: number;
}

const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

const CUT = refuse("TRUNCATED", "The SVG ends in the middle of its document type.");
const NOT_XML = refuse("NOT_WHAT_IT_CLAIMS", "The SVG's document type is not well-formed XML.");
const REACHES_OUT = forbidden(
  "The SVG's document type refers outside the file. Export it again as plain SVG.",
);
const NESTS = forbidden(
  "The SVG declares an entity of markup or of other entities. Export it again as plain SVG.",
);
const TOO_MANY = tooLarge("The SVG declares too many or too long entities. Export it as plain SVG.");
const EXPANDS = tooLarge("The SVG's entities come to too much text. Export it again as plain SVG.");

/**
 * Reads a document type after `<!DOCTYPE` (XML 1.0, 2.8 and 4.2). Illustrator declares its namespaces as entities;
 * these are kept if they are plain text. An external document type is not fetched. Declarations of elements, attributes
 * and notations draw nothing and are skipped. Rejects external entities, entities that contain markup or other entities
 * (which could expand exponentially), and parameter entities.
 */
export function readDoctype(scanner: Scanner): Entities | SvgRefusal {
  const values = new Map<string, string>();
  const entities: Entities = { values, charactersLeft: EXPANDED_CHARACTERS_MAX };
  for (;;) {
    scanner.takeWhile((code) => !DECLARATION_MARKS.has(code));
    if (scanner.isAtEnd) return CUT;
    if (scanner.take(">")) return entities;
    if (scanner.take("[")) {
      const refusal = readInternalSubset(scanner, values);
      if (refusal !== null) return refusal;
    } else if (!skipQuoted(scanner)) return CUT;
  }
}

const DECLARATION_MARKS: ReadonlySet<number> = new Set([..."\"'[>"].map((mark) => mark.charCodeAt(0)));

function skipQuoted(scanner: Scanner): boolean {
  return takeQuoted(scanner) !== null;
}

/** A quoted text without its quotes; null when it is not quoted or does not end. */
function takeQuoted(scanner: Scanner): string | null {
  if (scanner.take('"')) return scanner.takeUntil('"');
  return scanner.take("'") ? scanner.takeUntil("'") : null;
}

function readInternalSubset(scanner: Scanner, values: Map<string, string>): SvgRefusal | null {
  for (;;) {
    scanner.skipSpace();
    if (scanner.isAtEnd) return CUT;
    if (scanner.take("]")) return null;
    if (scanner.take("%")) return REACHES_OUT;
    if (scanner.take("<!--")) {
      if (scanner.takeUntil("-->") === null) return CUT;
    } else if (scanner.take("<?")) {
      if (scanner.takeUntil("?>") === null) return CUT;
    } else if (scanner.take("<!ENTITY")) {
      const refusal = readEntity(scanner, values);
      if (refusal !== null) return refusal;
    } else if (scanner.take("<!ATTLIST") || scanner.take("<!ELEMENT") || scanner.take("<!NOTATION")) {
      if (!skipDeclaration(scanner)) return CUT;
    } else return NOT_XML;
  }
}

/** Skips the rest of a declaration; a quoted `>` does not end it. */
function skipDeclaration(scanner: Scanner): boolean {
  for (;;) {
    scanner.takeWhile((code) => code === BRACKET || !DECLARATION_MARKS.has(code));
    if (scanner.isAtEnd) return false;
    if (scanner.take(">")) return true;
    if (!skipQuoted(scanner)) return false;
  }
}

const BRACKET = "[".charCodeAt(0);

function readEntity(scanner: Scanner, values: Map<string, string>): SvgRefusal | null {
  scanner.skipSpace();
  if (scanner.take("%")) return REACHES_OUT;
  const name = scanner.takeWhile((code) => !isSpace(code) && !DECLARATION_MARKS.has(code));
  scanner.skipSpace();
  if (scanner.isAtEnd) return CUT;
  if (scanner.take("SYSTEM") || scanner.take("PUBLIC")) return REACHES_OUT;
  const isQuoted = scanner.peek() === DOUBLE_QUOTE || scanner.peek() === SINGLE_QUOTE;
  if (!isQuoted || name === "") return NOT_XML;
  const written = takeQuoted(scanner);
  scanner.skipSpace();
  if (written === null || scanner.isAtEnd) return CUT;
  if (!scanner.take(">")) return NOT_XML;
  // The first declaration of a name is binding, and predefined entities cannot change (XML 1.0, 4.2 and 4.6).
  if (PREDEFINED.has(name) || values.has(name)) return null;
  if (name.length > ENTITY_NAME_MAX || written.length > ENTITY_VALUE_MAX || values.size >= ENTITIES_MAX) {
    return TOO_MANY;
  }
  const value = expandEntities(written, null, scanner.steps);
  if (value === null || typeof value !== "string" || value.includes("<") || value.includes("&")) return NESTS;
  values.set(name, value);
  return null;
}

const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

/** Expands character and entity references; null when one is not declared. */
export function expandEntities(
  text: string,
  entities: Entities | null,
  steps: WorkBudget,
): string | null | SvgRefusal {
  const scanner = new Scanner(text, steps);
  let expanded = "";
  for (;;) {
    const before = scanner.takeWhile((code) => code !== AMPERSAND);
    if (scanner.isAtEnd) return expanded === "" ? before : expanded + before;
    scanner.skip(1);
    const name = scanner.takeWhile((code) => code !== SEMICOLON && code !== AMPERSAND);
    if (!scanner.take(";") || name.length > ENTITY_NAME_MAX) return null;
    const declared = entities?.values.get(name);
    const spelled = name.startsWith("#") ? characterOf(name) : (PREDEFINED.get(name) ?? declared);
    if (spelled === undefined) return null;
    if (entities !== null && declared !== undefined) {
      steps.take(spelled.length);
      entities.charactersLeft -= spelled.length;
      if (entities.charactersLeft < 0) return EXPANDS;
    }
    expanded += before + spelled;
  }
}

const AMPERSAND = "&".charCodeAt(0);
const SEMICOLON = ";".charCodeAt(0);

/** The character of `#10` or `#x0A`, if XML has it (XML 1.0, 2.2). */
function characterOf(reference: string): string | undefined {
  const isHexadecimal = reference.startsWith("#x");
  const code = Number.parseInt(reference.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10);
  const isCharacter =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
