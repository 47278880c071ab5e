declare module "wawoff2" {
  const wawoff2: {
    /** WOFF2 bytes to the TrueType or OpenType font inside. */
    decompress(bytes: Uint8Array): Promise<Uint8Array>;
    /** A TrueType or OpenType font to WOFF2 bytes. */
    compress(bytes: Uint8Array): Promise<Uint8Array>;
  };
  export default wawoff2;
}
