declare module "wawoff2" {
  const wawoff2: {
    /** Decompresses WOFF2 to its TrueType or OpenType font. */
    decompress(bytes: Uint8Array): Promise<Uint8Array>;
    /** Compresses a TrueType or OpenType font as WOFF2. */
    compress(bytes: Uint8Array): Promise<Uint8Array>;
  };
  export default wawoff2;
}
