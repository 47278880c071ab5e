declare module "upng-js" {
  interface Upng {
    /**
     * Writes a PNG of RGBA frames. With `colours` 0 it is lossless, and has a palette when there are at most 255
     * colours besides transparent.
     */
    encode(frames: readonly ArrayBuffer[], width: number, height: number, colours: number): ArrayBuffer;
  }
  const upng: Upng;
  export default upng;
}
