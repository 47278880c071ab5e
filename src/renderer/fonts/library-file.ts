import { uint8ArrayToHex } from "uint8array-extras";
import type { FontLibrary } from "../types.ts";

/** A file of the font library, and what its bytes must be: they decide pixels. */
export interface LibraryFile {
  readonly name: string;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Loads a file of the library. Throws what the library throws, and when the bytes are others than this version of the
 * engine draws with: the same inputs must give the same pixels.
 */
export async function loadLibraryFile(library: FontLibrary, file: LibraryFile): Promise<Uint8Array> {
  const bytes = await library.load(file.name);
  const sha256 = uint8ArrayToHex(await crypto.subtle.digest("SHA-256", bytes));
  if (sha256 !== file.sha256) throw new Error(`the font library has other bytes for ${file.name}`);
  return bytes;
}
