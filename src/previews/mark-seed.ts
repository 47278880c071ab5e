/**
 * Where the watermark's text is placed: by the pictures and the size. Copy and colours do not move it, so that previews of
 * one picture with other copy cannot be laid over each other to cancel the watermark.
 */

/** What is hashed by SHA-256. `pictures` has the hash of each slot's file, in lower-case hex, and no font. */
export const markSeedText = (
  pictures: Readonly<Record<string, string>>,
  sizeIds: readonly string[],
): string => JSON.stringify({ pictures: Object.entries(pictures).sort(), sizes: sizeIds });

/** The 32 bits of a digest, in hex, that place the text. */
export const markSeedOfDigest = (digest: string): number => Number.parseInt(digest.slice(0, 8), 16);
