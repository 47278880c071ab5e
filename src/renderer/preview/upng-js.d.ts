declare module "upng-js" {
  interface Upng {
    readonly encode: {
      /**
       * Numbers the words of a frame as they appear, 0 first even where there is none, and packs rows of numbers into
       * as few bits each as they need. With `colours` 0 the words stay as they are; `plte` lists them. True of at most
       * 256 words, that 0 among them.
       */
      compress(
        frames: readonly ArrayBuffer[],
        width: number,
        height: number,
        colours: number,
      ): {
        readonly depth: 1 | 2 | 4 | 8;
        readonly plte: readonly number[];
        readonly frames: readonly { readonly img: Uint8Array; readonly bpl: number }[];
      };
    };
  }
  const upng: Upng;
  export default upng;
}
