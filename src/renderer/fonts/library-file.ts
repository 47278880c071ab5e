import { uint8ArrayToHex } from "uint8array-extras";
import type { FontLibrary } from "../types.ts";

/** A file of the font library, and what its bytes must be: they decide pixels. */
export interface LibraryFile {
  readonly name: string;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** The library does not give a file, or gives other bytes than those of this version. It may pass: files are deployed. */
export class FontLibraryFault extends Error {
  override readonly name = "FontLibraryFault";
}

/**
 * Loads a file of the library. Throws a {@link FontLibraryFault} when the library throws, and when the bytes are others
 * than this version of the engine draws with: the same inputs must give the same pixels.
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
