import { lossyWebp } from "../riff.ts";
import { BoolWriter } from "./bool-writer.ts";

/** What a VP8 key frame's header says (RFC 6386, 9); what is left out is off, or 0. */
export interface FrameHeader {
  readonly width: number;
  readonly height: number;
  readonly isSimpleFilter?: boolean;
  readonly filterLevel?: number;
  readonly sharpness?: number;
  /** Quantiser indices and filter levels of the four segments. */
  readonly segments?: {
    readonly isAbsolute: boolean;
    readonly hasMap: boolean;
    readonly quantisers: readonly number[];
    readonly levels: readonly number[];
  };
  /** Changes of the filter level for key frames, and for macroblocks with subblock modes. */
  readonly levelDeltas?: readonly [number, number];
  readonly partitionsLog2?: number;
  readonly quantiser?: number;
  /** Of luma DC, second-order DC and AC, chroma DC and AC. */
  readonly quantiserDeltas?: readonly number[];
  /** Bits 14 and 15 of width and height, which ask for scaling that nothing does. */
  readonly scaling?: number;
}

const BYTES_OF_PARTITION = 16_384;

/**
 * A lossy WebP with this header whose modes, probabilities and coefficients are random bits: every mode and token comes
 * up, in combinations that no encoder makes.
 */
export function randomFrame(header: FrameHeader, random: () => number): Uint8Array {
  const noise = (): Uint8Array =>
    Uint8Array.from({ length: BYTES_OF_PARTITION }, () => Math.floor(random() * 256));
  const first = writeHeader(header, random);
  const partitions = Array.from({ length: 2 ** (header.partitionsLog2 ?? 0) }, noise);
  const sizes = partitions.slice(1).flatMap(() => [BYTES_OF_PARTITION & 255, BYTES_OF_PARTITION >> 8, 0]);
  const scaling = (header.scaling ?? 0) << 14;
  const tag = (first.length << 5) | (1 << 4);
  const frame = Buffer.concat([
    Uint8Array.of(tag & 255, (tag >> 8) & 255, tag >> 16, 0x9d, 0x01, 0x2a),
    new Uint8Array(Uint16Array.of(header.width | scaling, header.height | scaling).buffer),
    first,
    Uint8Array.from(sizes),
    ...partitions,
  ]);
  return lossyWebp(frame);
}

function writeHeader(header: FrameHeader, random: () => number): Uint8Array {
  const { segments, levelDeltas, quantiserDeltas = [0, 0, 0, 0, 0] } = header;
  const bits = new BoolWriter().literal(0, 2).bool(segments !== undefined);
  if (segments !== undefined) {
    bits.bool(segments.hasMap).bool(true).bool(segments.isAbsolute);
    for (const quantiser of segments.quantisers) bits.optional(quantiser, 7);
    for (const level of segments.levels) bits.optional(level, 6);
    if (segments.hasMap) for (const probability of [110, 128, 150]) bits.bool(true).literal(probability, 8);
  }
  bits.bool(header.isSimpleFilter ?? false).literal(header.filterLevel ?? 0, 6);
  bits.literal(header.sharpness ?? 0, 3).bool(levelDeltas !== undefined);
  if (levelDeltas !== undefined) {
    bits.bool(true);
    for (const delta of [levelDeltas[0], 0, 0, 0, levelDeltas[1], 0, 0, 0]) bits.optional(delta, 6);
  }
  bits.literal(header.partitionsLog2 ?? 0, 2).literal(header.quantiser ?? 0, 7);
  for (const delta of quantiserDeltas) bits.optional(delta, 4);
  for (let bit = 0; bit < BYTES_OF_PARTITION * 8; bit++) bits.bool(random() < 0.5);
  return bits.finish();
}
