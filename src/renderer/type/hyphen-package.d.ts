declare module "hyphen" {
  /** Returns a function that inserts `hyphenChar` where the patterns of a language allow words to break. */
  export default function createHyphenator(
    patterns: unknown,
    options: { readonly hyphenChar: string; readonly minWordLength: number },
  ): (text: string) => string;
}
