declare module "linebreak" {
  /** UAX #14 over one string. */
  export default class LineBreaker {
    constructor(text: string);
    /** The next place to break, in UTF-16 units; null past the end. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
