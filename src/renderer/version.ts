/**
 * Version of everything that decides a pixel or a byte: it goes into the render fingerprint.
 * Any change of output, however small, raises it.
 */
export const ENGINE_VERSION = "1.16.0";
