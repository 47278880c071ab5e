import { uint8ArrayToHex } from "uint8array-extras";
import type { FontLibrary } from "../types.ts";

/** A file of the font library, with the hash of its bytes, which decide pixels. */
export interface LibraryFile {
  readonly name: string;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * The library does not return a file, or returns other bytes than this version's. This may be temporary, during a
 * deployment.
 */
export class FontLibraryFault extends Error {
  override readonly name = "FontLibraryFault";
}

/**
 * Loads a file of the library. Throws a {@link FontLibraryFault} when the library throws, or when the hash differs: the
 * same inputs must yield the same pixels.
 */
export async function loadLibraryFile(library: FontLibrary, file: LibraryFile): Promise<Uint8Array> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await library.load(file.name);
  } catch (cause) {
    throw new FontLibraryFault(`the font library does not give ${file.name}`, { cause });
  }
  const sha256 = uint8ArrayToHex(await crypto.subtle.digest("SHA-256", bytes));
  if (sha256 !== file.sha256) throw new FontLibraryFault(`the font library has other bytes for ${file.name}`);
  return bytes;
}
