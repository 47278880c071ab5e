/**
 * Customers' words on an operator's terminal. An escape sequence in a workspace's name could clear the screen, write
 * lines that look like ours or reach the clipboard; a mark of direction could show another order of digits.
 */

/** Control and format characters, halves of characters and the separators of lines. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text with such characters as `\u{1b}`, in one line. */
export const plain = (text: string): string =>
  text.replace(OBEYED, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** One line of JSON in which such characters are escaped too, as JSON allows. */
export const plainJson = (found: object): string =>
  JSON.stringify(found).replace(OBEYED, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
