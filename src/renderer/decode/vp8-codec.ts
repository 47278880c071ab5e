import type { Codec } from "../codec.ts";

/** Rows of alpha, `width` bytes each, from the top; see `Vp8lDecoder`. */
export interface AlphaRows {
  nextRows(rowsMax: number): Uint8Array | null;
}

export interface Vp8Picture {
  readonly width: number;
  readonly height: number;
  /** For each factor, boxes of `factor` × `factor` pixels are averaged. The bits are read once for all factors. */
  readonly factors: readonly number[];
  /** The alpha plane; null without alpha. */
  readonly alpha: AlphaRows | null;
}

export interface Vp8Decoder extends Codec {
  /**
   * Starts with the body of a `VP8 ` chunk, which must not change until the last lines are returned. False when it is
   * damaged.
   */
  start(body: Uint8Array, picture: Vp8Picture): boolean;
  /**
   * The next lines for each factor, possibly none, of `ceil(width / factor)` pixels: RGBA, straight, in a kernel's
   * memory until the next call. Null when the data is damaged or ends early, and past the last line.
   */
  nextLines(): readonly Uint8Array[] | null;
  /** After the last line of a picture with alpha: whether all pixels were opaque. */
  isOpaque(): boolean;
}

interface Vp8Kernel {
  readonly memory: WebAssembly.Memory;
  start(width: number, height: number, factor: number, hasAlpha: boolean): number;
  inputAt(partition: number): number;
  inputRoom(partition: number): number;
  feed(partition: number, bytes: number, isLast: boolean): void;
  readFrameHeader(): number;
  decodeRow(): number;
  isFiltered(factor: number): number;
  filterRow(): void;
  writeLines(areRowsFiltered: boolean): number;
  planesAt(): number;
  planesLength(): number;
  linesAt(): number;
  alphaAt(): number;
  joinAlpha(lines: number): number;
  isOpaque(): number;
}

/** `decodeRow` requests bytes of partition n with FEED - n. */
const FEED = -2;

const FRAME_HEADER_BYTES = 10;
const VERSION_MAX = 3;
const SIZE_BYTES = 3;

/** Compressed bytes not yet fed to the kernel. */
interface Partition {
  at: number;
  readonly end: number;
}

export function createVp8Decoder(module: WebAssembly.Module): Vp8Decoder {
  const newKernel = () => new WebAssembly.Instance(module).exports as unknown as Vp8Kernel;
  const kernel = newKernel();
  /** A kernel for each factor after the first. It shrinks the picture that `kernel` decodes. */
  let scalingKernels: Vp8Kernel[] = [];
  let body: Uint8Array = new Uint8Array(0);
  let partitions: Partition[] = [];
  let alpha: AlphaRows | null = null;
  let width = 0;
  let factors: readonly number[] = [];

  const feed = (index: number): boolean => {
    const partition = partitions[index];
    if (partition === undefined) return false;
    const to = kernel.inputAt(index);
    const bytes = Math.min(kernel.inputRoom(index), partition.end - partition.at);
    new Uint8Array(kernel.memory.buffer, to, bytes).set(body.subarray(partition.at, partition.at + bytes));
    partition.at += bytes;
    kernel.feed(index, bytes, partition.at === partition.end);
    return true;
  };

  /** Writes lines of the latest decoded row. For a follower, first copies the row's samples into its memory. */
  const writeLines = (one: Vp8Kernel, areRowsFiltered: boolean): number => {
    if (one !== kernel) {
      const planes = new Uint8Array(kernel.memory.buffer, kernel.planesAt(), kernel.planesLength());
      new Uint8Array(one.memory.buffer, one.planesAt()).set(planes);
    }
    return one.writeLines(areRowsFiltered);
  };

  /** Adds alpha to lines in the kernel. False when the alpha data ends early. */
  const fetchAlpha = (rows: AlphaRows, lines: number): boolean => {
    const to = new Uint8Array(kernel.memory.buffer, kernel.alphaAt(), lines * width);
    for (let filled = 0; filled < to.length; ) {
      const some = rows.nextRows((to.length - filled) / width);
      if (some === null || some.length === 0) return false;
      to.set(some, filled);
      filled += some.length;
    }
    return true;
  };

  return {
    memoryBytes: () =>
      [kernel, ...scalingKernels].reduce((sum, { memory }) => sum + memory.buffer.byteLength, 0),
    start(given, picture) {
      const first = firstPartition(given);
      if (first === null) return false;
      body = given;
      partitions = [first];
      ({ alpha, width, factors } = picture);
      scalingKernels = factors.slice(1).map((_, index) => scalingKernels[index] ?? newKernel());
      for (const [index, one] of [kernel, ...scalingKernels].entries()) {
        const factor = factors[index] ?? 1;
        if (one.start(width, picture.height, factor, alpha !== null) === 0) return false;
      }
      feed(0);
      const tokens = tokenPartitions(body, first.end, kernel.readFrameHeader());
      if (tokens === null) return false;
      partitions.push(...tokens);
      return true;
    },
    nextLines() {
      for (;;) {
        const status = kernel.decodeRow();
        if (status <= FEED) {
          if (!feed(FEED - status)) return null;
          continue;
        }
        if (status < 0) return null;
        const kernels = [kernel, ...scalingKernels];
        const unfiltered = kernels.map((one, index) =>
          kernel.isFiltered(factors[index] ?? 1) ? null : writeLines(one, false),
        );
        if (unfiltered.includes(null)) kernel.filterRow();
        let counts = kernels.map((one, index) => unfiltered[index] ?? writeLines(one, true));
        const [lines = 0] = counts;
        if (alpha !== null) {
          // With alpha, lines have full size, so every kernel has the same number of lines.
          if (!fetchAlpha(alpha, lines)) return null;
          const values = new Uint8Array(kernel.memory.buffer, kernel.alphaAt(), lines * width);
          for (const { memory, alphaAt } of scalingKernels)
            new Uint8Array(memory.buffer, alphaAt()).set(values);
          counts = kernels.map(({ joinAlpha }) => joinAlpha(lines));
        }
        return kernels.map(({ memory, linesAt }, index) => {
          const length = (counts[index] ?? 0) * Math.ceil(width / (factors[index] ?? 1)) * 4;
          return new Uint8Array(memory.buffer, linesAt(), length);
        });
      }
    },
    isOpaque: () => kernel.isOpaque() !== 0,
  };
}

/** Reads the frame's uncompressed bytes (RFC 6386, 9.1). Null for values that a still picture cannot have. */
function firstPartition(body: Uint8Array): Partition | null {
  if (body.length < FRAME_HEADER_BYTES) return null;
  const tag = littleEndian(body, 0);
  const isKeyFrame = (tag & 1) === 0;
  const isShown = ((tag >> 4) & 1) === 1;
  const end = FRAME_HEADER_BYTES + (tag >> 5);
  if (!isKeyFrame || !isShown || ((tag >> 1) & 7) > VERSION_MAX || end > body.length) return null;
  return { at: FRAME_HEADER_BYTES, end };
}

/**
 * Partition sizes, all but the last, precede the partitions (RFC 6386, 9.5). Sizes that reach past the end are
 * truncated. Null when the body ends before the partitions.
 */
function tokenPartitions(body: Uint8Array, sizesAt: number, count: number): Partition[] | null {
  if (count <= 0) return null;
  const partitions: Partition[] = [];
  let at = sizesAt + SIZE_BYTES * (count - 1);
  if (at >= body.length) return null;
  for (let index = 0; index < count; index++) {
    const isLast = index === count - 1;
    const size = isLast ? body.length : littleEndian(body, sizesAt + SIZE_BYTES * index);
    const end = Math.min(body.length, at + size);
    partitions.push({ at, end });
    at = end;
  }
  return partitions;
}

function littleEndian(body: Uint8Array, at: number): number {
  return (body[at] ?? 0) | ((body[at + 1] ?? 0) << 8) | ((body[at + 2] ?? 0) << 16);
}
