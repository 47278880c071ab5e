/** Languages whose i keeps its dot as a capital. */
const DOTTED = /^(tr|az)\b/i;
/** Georgian has capitals (Mtavruli) that most fonts lack, and emphasises without them. */
const CASED = /\P{Script=Georgian}+/gu;
/** Greek vowels lose their accent (tonos) in a line of capitals; the diaeresis stays. */
const TONOS = /(\p{Script=Greek}\u0308?)\u0301/gu;

/** A text in capitals, as its language writes them; `language` is a BCP 47 tag. Scripts without capitals stay as they are. */
export function capitals(text: string, language: string | undefined): string {
  const dotted = language !== undefined && DOTTED.test(language) ? text.replace(/i/g, "\u0130") : text;
  const upper = dotted.replace(CASED, (part) => part.toUpperCase());
  return upper.normalize("NFD").replace(TONOS, "$1").normalize("NFC");
}
