declare module "upng-js" {
  interface Upng {
    readonly encode: {
      /**
       * Numbers the words of a frame as they appear, 0 first even where there is none, packs the numbers into as few
       * bits as they need and deflates the rows behind a filter byte each. With `colours` 0 the words stay as they are;
       * `plte` lists them. What it gives has one word for each pixel in `plte` while those are at most 256.
       */
      compressPNG(
        frames: readonly ArrayBuffer[],
        width: number,
        height: number,
        colours: number,
      ): {
        readonly depth: 1 | 2 | 4 | 8;
        readonly plte: readonly number[];
        readonly frames: readonly { readonly cimg: Uint8Array }[];
      };
    };
  }
  const upng: Upng;
  export default upng;
}
