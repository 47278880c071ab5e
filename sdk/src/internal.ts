/** Parts of this library that the Studio uses. Not exported by the package, so they may change in any version. */

export { sha256Hex } from "./digest.ts";
export { toApiError } from "./errors.ts";
export { ENDINGS, knownOther, mediaTypeOf } from "./files/media-type.ts";
export { type PixelSize, pixelSizeOf } from "./files/pixel-size.ts";
export type * from "./generated/schemas.ts";
export { readData, readRefusal } from "./read-answer.ts";
