import { uint8ArrayToHex } from "uint8array-extras";
import type { FontLibrary } from "../types.ts";
import { type LibraryFile, loadLibraryFile } from "./library-file.ts";
import { FALLBACK_INDEX } from "./library-files.ts";

/** The characters of one typeface of the library, and the file of each. */
export interface IndexedFamily {
  readonly id: string;
  readonly files: readonly LibraryFile[];
  /** The number of the file that has a code point; null if none has it. */
  fileOf(codePoint: number): number | null;
}

const HASH_BYTES = 32;

/**
 * Reads the index of the fallback typefaces. All numbers are LEB128: seven bits a byte, the lowest first. Content:
 * number of families; then for each family the length of its id, the id in ASCII, its files with 32 bytes of SHA-256
 * each, and its ranges of code points, ascending, each as its gap to the end of the previous one, its length minus one,
 * and the number of its file.
 */
export function readFallbackIndex(bytes: Uint8Array): readonly IndexedFamily[] {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value;
  };
  const take = (length: number): Uint8Array => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return Array.from({ length: number() }, () => {
    const id = new TextDecoder().decode(take(number()));
    const files = Array.from({ length: number() }, (_, i) => ({
      name: `${id}-${i}.ttf`,
      sha256: uint8ArrayToHex(take(HASH_BYTES)),
    }));
    const count = number();
    const starts = new Uint32Array(count);
    const ends = new Uint32Array(count);
    const fileNumbers = new Uint8Array(count);
    let end = 0;
    for (let i = 0; i < count; i += 1) {
      starts[i] = end + number();
      end = (starts[i] ?? 0) + 1 + number();
      ends[i] = end;
      fileNumbers[i] = number();
    }
    const fileOf = (codePoint: number): number | null => {
      let [low, high] = [0, count];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((ends[middle] ?? 0) > codePoint) high = middle;
        else low = middle + 1;
      }
      return low < count && (starts[low] ?? 0) <= codePoint ? (fileNumbers[low] ?? 0) : null;
    };
    return { id, files, fileOf };
  });
}

/** Cached: a parsed index takes half a megabyte, and every text of another script needs it. */
const readIndexes = new WeakMap<FontLibrary, readonly IndexedFamily[]>();

/** The fallback typefaces of a library. Throws what the library throws. */
export async function fallbackFamilies(library: FontLibrary): Promise<readonly IndexedFamily[]> {
  const known = readIndexes.get(library);
  if (known !== undefined) return known;
  const families = readFallbackIndex(await loadLibraryFile(library, FALLBACK_INDEX));
  readIndexes.set(library, families);
  return families;
}
