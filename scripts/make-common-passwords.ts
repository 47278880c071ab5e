/**
 * Writes src/accounts/common-passwords.ts, the passwords that are guessed first. Run: npx node
 * scripts/make-common-passwords.ts
 *
 * Source: the ranked list of @zxcvbn-ts/language-common (MIT), a pinned devDependency. Of its 49,233 entries it takes
 * those that are long enough to be a password here, and the commonest words, which people lengthen with digits.
 */
import { writeFile } from "node:fs/promises";
import { dictionary } from "@zxcvbn-ts/language-common";
import { LIMITS } from "../src/contract/limits.ts";
import { inRoot } from "./local/paths.ts";

export const COMMON_PASSWORDS_PATH = "src/accounts/common-passwords.ts";

/** Most of what is lengthened is one of the first; the further down, the more are somebody's name. */
const WORDS_MAX = 1_000;
/** Shorter ones stand in half of all passphrases. */
const WORD_CHARACTERS_MIN = 4;
const LINE_CHARACTERS_MAX = 105;

/** Words in lines that fit. */
function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > LINE_CHARACTERS_MAX) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

/** The text of the file as it should be. */
export function commonPasswordsSource(): string {
  // A sign that means something inside a template literal is in two of them.
  const ranked = dictionary["passwords-common"]
    .map(String)
    .filter((entry) => /^[!#%-[\]^_a-~]+$/.test(entry));
  const long = ranked.filter((entry) => entry.length >= LIMITS.passwordCharactersMin);
  const words = ranked
    .filter((entry) => entry.length >= WORD_CHARACTERS_MIN && /^[a-z]+$/.test(entry))
    .slice(0, WORDS_MAX);
  const quoted = (entries: readonly string[]) => `\`\n${wrap([...new Set(entries)].sort())}\n\``;
  return `/**
 * Passwords that are guessed first. Made by scripts/make-common-passwords.ts from @zxcvbn-ts/language-common, Copyright (c)
 * 2012-2016 Dan Wheeler and Dropbox, Inc., Copyright (c) 2021 @zxcvbn-ts, MIT License: see common-passwords.LICENSE.txt.
 */

/** In lower case, of ${LIMITS.passwordCharactersMin} characters or more, separated by white space. */
export const COMMON_PASSWORDS = ${quoted(long)};

/** The ${WORDS_MAX} commonest that are letters alone. */
export const COMMON_WORDS = ${quoted(words)};
`;
}

if (import.meta.main) await writeFile(inRoot(COMMON_PASSWORDS_PATH), commonPasswordsSource());
