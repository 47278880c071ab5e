import { readFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { expect, it } from "vitest";
import { ASSETS_FOLDER, inRoot } from "../../scripts/local/paths.ts";
import { findPages, OPTIONS } from "../../scripts/make/site/static/ranking.js";

const json = readFileSync(inRoot(`${ASSETS_FOLDER}/docs/assets/search.json`), "utf8");
const index = MiniSearch.loadJSON(json, OPTIONS);
const found = (text: string): readonly string[] => findPages(index, text).map(({ id }) => String(id));

it.each([
  ["key", "/docs/guides/first-pack"],
  ["token", "/docs/guides/first-pack"],
  ["upload", "/docs/guides/first-pack"],
  ["pay", "/docs/guides/paying"],
  ["buy", "/docs/guides/paying"],
  ["price", "/docs/guides/paying"],
  ["cost", "/docs/guides/paying"],
  ["invoice", "/docs/guides/paying"],
  ["receipt", "/docs/guides/paying"],
])("a search for “%s” finds %s first", (text, page) => {
  expect(found(text)[0]?.split("#")[0]).toBe(page);
});

it.each(["webhook", "brand", "rate limit", "idempotency"])(
  "a search for “%s” finds a guide before the reference",
  (text) => {
    const [first = ""] = found(text);
    expect(first).toMatch(/^\/docs\/guides\/(?!api|changelog)/);
  },
);

it.each([
  ["payment required", "/docs/guides/errors#payment_required"],
  ["cancel job", "/docs/reference/jobs#cancelJob"],
])("a search for “%s” finds its own entry first", (text, entry) => {
  expect(found(text)[0]).toBe(entry);
});
