import { readdir, readFile } from "node:fs/promises";
import { inRoot } from "../local/paths.ts";
import { bad, type Check, good } from "./check.ts";

/** The cited document. Citations look like `API §4.7` or, for several, `API §4.7, §8.2`. */
const REFERENCE = "docs/api.md";
const PLACES = ["src", "test", "scripts", "bench", "docs", "README.md", "SECURITY.md", "schema/openapi.json"];
const TEXTS = /\.(ts|md|mjs|json|sql)$/;

/** Clauses that no test can cite, each with the reason. */
export const UNTESTABLE: Readonly<Record<string, string>> = {
  "1.1": "an overview",
  "1.2": "a definition; what can be seen of it is API §1.3, §11.4",
  "9.4": "about versions to come",
  "1.10": "an overview; a test runs the curl quickstart, which is this flow",
};

/** Matches the definition of a clause in docs/api.md. */
const CLAUSE = /^(?:- )?\*\*§(\d+\.\d+)\*\*/gm;
const CITATION = /\bAPI (§[\d.]*\d(?:, §[\d.]*\d)*)/g;
/**
 * Matches a section number and the word before it. For a section of another document, such as an RFC, that word names
 * it.
 */
const SECTION = /(\S+ )?§\d[\d.]*/g;

interface SourceText {
  /** Paths inside the clone. */
  readonly path: string;
  readonly text: string;
}

const idsOf = (citation: string): readonly string[] =>
  citation.split(", ").map((part) => part.replace("§", ""));

/** Every clause cited by a text, in order. */
const citedIn = (text: string): readonly string[] =>
  [...text.matchAll(CITATION)].flatMap(([, cited = ""]) => idsOf(cited));

/** Section numbers without the name of a document, each with the word before it. */
const namelessIn = (text: string): readonly string[] =>
  [...text.replace(CITATION, "").matchAll(SECTION)]
    .filter(([, word = ""]) => !/^[("'`]*(?:\d{3,}|RFC\d+|6265bis|[\dA-Z-]{4,}|Fetch) $/.test(word))
    .map(([section]) => section);

/** Finds citations without a clause or without a document's name, duplicate clauses, and clauses that no test cites. */
export function findCitationFaults(reference: string, texts: readonly SourceText[]): readonly string[] {
  const clauses = [...reference.matchAll(CLAUSE)].map(([, id = ""]) => id);
  const known = new Set(clauses);
  const twice = clauses.filter((id, index) => clauses.indexOf(id) !== index);
  const tested = new Set(
    texts.filter(({ path }) => path.startsWith("test/")).flatMap(({ text }) => citedIn(text)),
  );
  return [
    ...twice.map((id) => `${REFERENCE} has two clauses §${id}`),
    ...texts.flatMap(({ path, text }) => [
      ...citedIn(text)
        .filter((id) => !known.has(id))
        .map((id) => `${path} cites API §${id}, which ${REFERENCE} does not have`),
      ...namelessIn(text).map(
        (section) => `${path} has "${section}" without the document's name: API §4.7, RFC 9110 §8.3`,
      ),
    ]),
    ...[...known]
      .filter((id) => !tested.has(id) && !(id in UNTESTABLE))
      .map((id) => `${REFERENCE} §${id} is cited by no test`),
    ...Object.keys(UNTESTABLE)
      .filter((id) => !known.has(id) || tested.has(id))
      .map((id) => `§${id} is not needed in UNTESTABLE (scripts/check/citations.ts)`),
  ];
}

async function pathsIn(place: string): Promise<readonly string[]> {
  if (TEXTS.test(place)) return [place];
  const entries = await readdir(inRoot(place), { recursive: true });
  return entries.filter((entry) => TEXTS.test(entry)).map((entry) => `${place}/${entry}`);
}

/** Checks that every citation names an existing clause, and that a test cites every clause. */
export const checkCitations: Check = {
  name: "citations of docs/api.md",
  run: async () => {
    const reference = await readFile(inRoot(REFERENCE), "utf8");
    const paths = (await Promise.all(PLACES.map(pathsIn))).flat().filter((path) => path !== REFERENCE);
    const texts = await Promise.all(
      paths.map(async (path) => ({ path, text: await readFile(inRoot(path), "utf8") })),
    );
    const faults = findCitationFaults(reference, texts);
    if (faults.length > 0) return bad(faults.join("\n"));
    const cited = texts.reduce((sum, { text }) => sum + citedIn(text).length, 0);
    const clauses = [...reference.matchAll(CLAUSE)].length;
    return good(
      `${cited} citations of ${clauses} clauses, ${Object.keys(UNTESTABLE).length} of them untestable`,
    );
  },
};
