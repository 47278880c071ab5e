declare module "upng-js" {
  interface Upng {
    readonly encode: {
      /**
       * Numbers the words of a frame in order of appearance, 0 first even if absent, and packs rows of numbers into as
       * few bits each as they need. With `colours` 0 the words are unchanged; `plte` lists them. Valid for at most 256
       * words including 0.
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
