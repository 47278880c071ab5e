// Queries the search index and ranks the results. Shared by the page, the build and the tests.

/** MiniSearch options of the index; the build and the page must use the same. */
export const OPTIONS = { fields: ["title", "page", "text"], storeFields: ["title", "page", "excerpt"] };

/** Synonyms in the singular. A search for one also finds the others of its line. */
const SYNONYMS = [
  ["key", "token", "secret"],
  ["upload", "photo", "import"],
  ["pay", "paying", "payment", "buy", "checkout", "billing"],
  ["price", "pricing", "cost"],
  ["invoice", "receipt", "vat"],
];
/** Weight of a synonym, relative to the word itself. */
const SYNONYM_BOOST = 0.4;

/** Weights by path prefix: guides before the reference, the changelog last. Other pages have 1. */
const PAGE_BOOSTS = [
  ["/docs/guides/changelog", 0.1],
  ["/docs/guides/api", 0.4],
  ["/docs/guides/errors", 0.7],
  ["/docs/guides/sdk", 0.8],
  ["/docs/guides/", 2],
];

/** Weight of an entry; a page counts twice as much as a section of it. */
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
 * Searches the index; best results first. Every result contains each word or a synonym of it. For several words,
 * entries whose title is exactly these words, such as an error code, come first.
 */
export function findPages(index, text) {
  const words = wordsOf(text);
  const found = index.search({ combineWith: "AND", queries: words.map(queryOf) }, HOW);
  const isNamed = ({ title }) => wordsOf(title).join(" ") === words.join(" ");
  return words.length < 2 ? found : [...found.filter(isNamed), ...found.filter((each) => !isNamed(each))];
}
