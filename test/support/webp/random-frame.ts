import { lossyWebp } from "../riff.ts";

const PARTITION_BYTES = 16_384;
/**
 * Lengths of the first seven of eight partitions. If the random header has fewer partitions, the remaining lengths are
 * read as data of the first one.
 */
const LENGTHS = Array.from({ length: 7 }, () => [PARTITION_BYTES & 255, PARTITION_BYTES >> 8, 0]).flat();

/**
 * A lossy WebP of this size with random bits: covers all header fields (RFC 6386, 9), modes and tokens, in combinations
 * that no encoder produces.
 */
export function randomFrame(width: number, height: number, random: () => number): Uint8Array {
  const noise = (bytes: number) => Uint8Array.from({ length: bytes }, () => Math.floor(random() * 256));
  // Bits 14 and 15 request scaling, which decoders ignore.
  const scaling = Math.floor(random() * 4) << 14;
  const tag = (PARTITION_BYTES << 5) | (1 << 4);
  const frame = Buffer.concat([
    Uint8Array.of(tag & 255, (tag >> 8) & 255, tag >> 16, 0x9d, 0x01, 0x2a),
    new Uint8Array(Uint16Array.of(width | scaling, height | scaling).buffer),
    noise(PARTITION_BYTES),
    Uint8Array.from(LENGTHS),
    noise(8 * PARTITION_BYTES),
  ]);
  return lossyWebp(frame);
}
