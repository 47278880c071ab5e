/**
 * Writes src/domains/accounts/password/common-passwords.json, a list of common passwords. Run: npx node
 * scripts/make/common-passwords.ts
 *
 * Source: the ranked list of @zxcvbn-ts/language-common (MIT), a pinned devDependency, with 49,233 entries. The file
 * contains those that are long enough for a password here, and the most common words, because people extend them with
 * digits.
 */
import { writeFile } from "node:fs/promises";
import { dictionary } from "@zxcvbn-ts/language-common";
import { LIMITS } from "#api/limits.ts";
import { inRoot } from "../local/paths.ts";

export const COMMON_PASSWORDS_PATH = "src/domains/accounts/password/common-passwords.json";

/**
 * Number of common words in the file. People mostly extend the most common words; less common entries of the list are
 * often names.
 */
const WORDS_MAX = 1_000;
/** Shorter words are left out, because half of all passphrases contain one. */
const WORD_CHARACTERS_MIN = 4;

/** Expected content of the file. Each list is sorted, with spaces between its entries. */
export function commonPasswordsSource(): string {
  const ranked = dictionary["passwords-common"]
    .map(String)
    .filter((entry) => /^[!#%-[\]^_a-~]+$/.test(entry));
  const long = ranked.filter((entry) => entry.length >= LIMITS.passwordCharactersMin);
  const words = ranked
    .filter((entry) => entry.length >= WORD_CHARACTERS_MIN && /^[a-z]+$/.test(entry))
    .slice(0, WORDS_MAX);
  const joined = (entries: readonly string[]) => [...new Set(entries)].sort().join(" ");
  const written = {
    source:
      "@zxcvbn-ts/language-common, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., Copyright (c) 2021 " +
      "@zxcvbn-ts, MIT License: see common-passwords.LICENSE.txt. Made by scripts/make/common-passwords.ts.",
    passwords: joined(long),
    words: joined(words),
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

if (import.meta.main) await writeFile(inRoot(COMMON_PASSWORDS_PATH), commonPasswordsSource());
