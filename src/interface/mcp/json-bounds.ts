/** Deeper than the arguments of any tool. */
const DEPTH_MAX = 32;
/** Members and items: more than the largest pack names, and little memory once parsed. */
const VALUES_MAX = 5_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quote that ends the string which begins at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

/**
 * Whether JSON text nests deeper or has more values than a message does: a megabyte of brackets or short members takes
 * twenty once it is parsed. Strings are skipped, so that base64 of any length counts as one value. Linear.
 */
export function isTooComplex(text: string): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    else if (code === COMMA) values += 1;
    else if (code === LIST || code === OBJECT) {
      depth += 1;
      values += 1;
    }
    if (depth > DEPTH_MAX || values > VALUES_MAX) return true;
  }
  return false;
}
