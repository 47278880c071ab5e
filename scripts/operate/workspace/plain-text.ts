/**
 * Makes customers' text safe for an operator's terminal. An escape sequence in a workspace's name could clear the
 * screen, fake output or write to the clipboard; a direction mark could reorder digits.
 */

/** Control and format characters, lone surrogates and line separators. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text on one line, with such characters as `\u{1b}`. */
export const plain = (text: string): string =>
  text.replace(OBEYED, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** One line of JSON in which such characters are escaped too. */
export const plainJson = (found: object): string =>
  JSON.stringify(found).replace(OBEYED, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
