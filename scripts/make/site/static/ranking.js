// How the index is read and its results are ranked. The page, the build and the tests use the same rules.

/** Options of the index, for the build and for the page that loads it. */
export const OPTIONS = { fields: ["title", "page", "text"], storeFields: ["title", "page", "excerpt"] };

/** Words that mean the same to a reader, in the singular. Each is also searched as the others of its line. */
const SYNONYMS = [
  ["key", "token", "secret"],
  ["upload", "photo", "import"],
  ["pay", "paying", "payment", "buy", "checkout", "billing"],
  ["price", "pricing", "cost"],
  ["invoice", "receipt", "vat"],
];
/** How much a synonym counts beside the word itself. */
const SYNONYM_BOOST = 0.4;

/** Pages by the beginning of their address, and how much they count: guides before the reference, records last. */
const PAGE_BOOSTS = [
  ["/docs/guides/changelog", 0.1],
  ["/docs/guides/api", 0.4],
  ["/docs/guides/errors", 0.7],
  ["/docs/guides/sdk", 0.8],
  ["/docs/guides/", 2],
];

/** A whole page before its parts. */
const boostOf = (address) =>
  (PAGE_BOOSTS.find(([start]) => address.startsWith(start))?.[1] ?? 1) * (address.includes("#") ? 1 : 2);

const HOW = {
  prefix: true,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  boost: { title: 4, page: 2 },
  boostDocument: boostOf,
};

function queryOf(word) {
  const singular = word.replace(/s$/, "");
  const others = SYNONYMS.find((words) => words.includes(singular))?.filter((other) => other !== word) ?? [];
  return {
    combineWith: "OR",
    queries: [
      word,
      ...others.map((other) => ({
        queries: [other],
        prefix: false,
        fuzzy: false,
        boost: { title: 4 * SYNONYM_BOOST, page: 2 * SYNONYM_BOOST, text: SYNONYM_BOOST },
      })),
    ],
  };
}

const wordsOf = (text) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/**
 * What `index` has for `text`, best first: every word, or a synonym of it, is in each result. An entry whose title is exactly
 * these words, such as an error code, comes first.
 */
export function findPages(index, text) {
  const words = wordsOf(text);
  const found = index.search({ combineWith: "AND", queries: words.map(queryOf) }, HOW);
  const isNamed = ({ title }) => wordsOf(title).join(" ") === words.join(" ");
  return words.length < 2 ? found : [...found.filter(isNamed), ...found.filter((each) => !isNamed(each))];
}
