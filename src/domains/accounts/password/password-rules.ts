import { accept, type Outcome, refuse } from "#api/errors.ts";
import common from "./common-passwords.json" with { type: "json" };

/**
 * Rejects new passwords that attackers guess first (NIST SP 800-63B §5.1.1.2: common values, repetitive or sequential
 * characters, the names of the service and the account). Character classes are not required.
 */

/**
 * A password of ten characters from a set of four has only 4^10 (a million) possibilities, which take about a second to
 * guess.
 */
const DIFFERENT_CHARACTERS_MIN = 5;
/** Shorter base words are ignored: many good passwords contain one by chance. */
const BASE_CHARACTERS_MIN = 4;

/** Common passwords in lower case, each of at least `LIMITS.passwordCharactersMin` characters. */
const passwords = new Set(common.passwords.split(" "));
const words = new Set([...common.words.split(" "), "creativepack", "creativepacks"]);

/** Digits and symbols used as letters, as in `p@ssw0rd`. */
const LETTER_OF_SIGN: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

const isLetter = (character: string): boolean => /^\p{L}$/u.test(character);

/** The characters from the first letter to the last. */
function betweenLetters(characters: readonly string[]): readonly string[] {
  const first = characters.findIndex(isLetter);
  return first === -1 ? [] : characters.slice(first, characters.findLastIndex(isLetter) + 1);
}

const upToLastLetter = (characters: readonly string[]): readonly string[] =>
  characters.slice(0, characters.findLastIndex(isLetter) + 1);

const withLetters = (characters: readonly string[]): string =>
  characters.map((character) => LETTER_OF_SIGN[character] ?? character).join("");

/**
 * A text's base words: the text without surrounding digits and symbols, both as typed and with the signs in
 * `LETTER_OF_SIGN` replaced by letters.
 */
const basesOf = (characters: readonly string[]): readonly string[] =>
  [
    betweenLetters(characters).join(""),
    withLetters(betweenLetters(characters)),
    withLetters(upToLastLetter(characters)),
  ].filter((base) => [...base].length >= BASE_CHARACTERS_MIN);

/** Whether each character follows the one before, up or down; 0 follows 9. */
function isSequence(characters: readonly string[]): boolean {
  const steps = characters.slice(1).map((character, at) => {
    const before = characters[at] ?? "";
    if (`${before}${character}` === "90") return 1;
    if (`${before}${character}` === "09") return -1;
    return (character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  });
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

/** Lower case, NFKC, without white space. */
const plainOf = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(/\s/g, "");

/** The rule that an easily guessed password breaks, as the end of a sentence; null if it breaks none. */
function weaknessOf(password: string, email: string): string | null {
  const plain = plainOf(password);
  const characters = [...plain];
  if (new Set(characters).size < DIFFERENT_CHARACTERS_MIN) {
    return `must have at least ${DIFFERENT_CHARACTERS_MIN} different characters`;
  }
  if (isSequence(characters)) return "must not count up or down";
  const bases = basesOf(characters);
  if (passwords.has(plain) || bases.some((base) => passwords.has(base) || words.has(base))) {
    return "must not be one of the passwords that are guessed first, or one of them with digits or signs";
  }
  const [local = "", domain = ""] = plainOf(email).split("@");
  const own = [`${local}@${domain}`, local, domain];
  const ownBases = own.flatMap((text) => basesOf([...text]));
  if (own.includes(plain) || bases.some((base) => ownBases.includes(base))) {
    return "must not be the account's own address or a part of it";
  }
  return null;
}

/** 400 INVALID_REQUEST, naming the field `member`, for an easily guessed new password. */
export function checkNewPassword(member: string, password: string, email: string): Outcome<void> {
  const message = weaknessOf(password, email);
  if (message === null) return accept(undefined);
  return refuse("INVALID_REQUEST", `${member}: ${message}`, {
    issues: [{ in: "body", path: member, message }],
    nextAction: "Choose another password, such as four unrelated words.",
  });
}
