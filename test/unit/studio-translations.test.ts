import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { ERRORS } from "#api/errors.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import { REFUSAL_WORDS } from "../../studio/src/api/refusal-words.ts";

type Words = { readonly [key: string]: string | Words };

const FOLDER = inRoot("studio/src/words");
const LANGUAGES = ["en", "de"];
const PARTS = globSync("en/*.json", { cwd: FOLDER }).map((path) => basename(path));

const read = (language: string, part: string): Words =>
  JSON.parse(readFileSync(`${FOLDER}/${language}/${part}`, "utf8"));

const textsOf = (words: Words): readonly string[] =>
  Object.values(words).flatMap((text) => (typeof text === "string" ? [text] : textsOf(text)));

/** Words that readers misunderstood. In German, for example, "Format" can mean a size or a file type. */
const CONFUSING = /\b(Wall|Wand|by itself|Follow the pack|Format(e|en)?)\b|^The pack['’]s$/;

it.each(PARTS)("%s has no text that readers misunderstood", (part) => {
  const texts = LANGUAGES.flatMap((language) => textsOf(read(language, part)));
  expect(texts.filter((text) => CONFUSING.test(text))).toEqual([]);
});

/** The key of every text, followed by its placeholders. */
const shapeOf = (words: Words, above = ""): readonly string[] =>
  Object.entries(words).flatMap(([key, text]) =>
    typeof text === "string"
      ? [`${above}${key} ${(text.match(/\{\{\w+\}\}/g) ?? []).sort().join(" ")}`]
      : shapeOf(text, `${above}${key}.`),
  );

it.each(PARTS)("%s has the same keys and placeholders in every language", (part) => {
  const [first = [], ...others] = LANGUAGES.map((language) => [...shapeOf(read(language, part))].sort());
  expect(first.length).toBeGreaterThan(0);
  for (const other of others) expect(other).toEqual(first);
});

it("no language has a part that another lacks", () => {
  const parts = LANGUAGES.map((language) =>
    globSync(`${language}/*.json`, { cwd: FOLDER })
      .map((path) => basename(path))
      .sort(),
  );
  for (const each of parts) expect(each).toEqual(parts[0]);
});

const CODE = globSync("studio/src/**/*.{ts,tsx}", { cwd: inRoot(".") })
  .map((path) => readFileSync(inRoot(path), "utf8"))
  .join("\n");

/** String literals in the code, which include all literal keys. */
const asked = new Set([...CODE.matchAll(/"([^"\n]*)"/g)].map(([, key]) => key));

/** Patterns of keys that are template strings, such as `state.${status}`. The inserted part may contain dots. */
const askedAlike = [...CODE.matchAll(/`((?:[\w.:-]|\$\{[^}`]*\})+)`/g)]
  .map(([, key = ""]) => key.split(/\$\{[^}]*\}/))
  .filter((fixed) => fixed.some((part) => part.includes(".")))
  .map((fixed) => new RegExp(`^${fixed.join(".+").replace(/\.(?!\+)/g, "\\.")}$`));

/** A key without its CLDR plural suffix, as pages use it. */
const keyOf = (shape: string): string =>
  shape.replace(/ .*/, "").replace(/_(zero|one|two|few|many|other)$/, "");

it.each(PARTS)("%s has no unused text", (part) => {
  const keys = shapeOf(read("en", part)).map(keyOf);
  expect(keys.filter((key) => !asked.has(key) && !askedAlike.some((like) => like.test(key)))).toEqual([]);
});

it("every declared error has a text in every language, and each of these texts belongs to an error", () => {
  const said = new Set<string>(Object.values(REFUSAL_WORDS));
  expect(Object.keys(REFUSAL_WORDS).sort()).toEqual(Object.keys(ERRORS).sort());
  for (const language of LANGUAGES) {
    const { refusal = {} } = read(language, "common.json");
    expect(Object.keys(refusal).sort()).toEqual([...said].sort());
  }
});
