import type { Layer } from "./fuse-layers.ts";

/** Where each tensor stands while the network runs, in bytes from the start of one block of memory. */
export interface MemoryPlan {
  readonly offsets: ReadonlyMap<number, number>;
  readonly bytes: number;
}

interface Block {
  readonly offset: number;
  readonly bytes: number;
  /** The last layer that reads it. */
  readonly until: number;
}

const FLOAT_BYTES = 4;
/** A picture's pixels are bytes: red, green, blue, alpha. */
const PIXEL_BYTES = 4;

/**
 * Gives each tensor the lowest place that is free from the layer that makes it to the last one that reads it. A sum
 * takes the place of the tensor that is added, if nothing reads that one later: each value is read before it is written.
 */
export function planMemory(layers: readonly Layer[]): MemoryPlan {
  // What no layer reads is the network's answer.
  const lastReads = new Map(layers.map(({ output }) => [output, layers.length]));
  for (const [index, { input, residual }] of layers.entries()) {
    lastReads.set(input, index);
    if (residual !== null) lastReads.set(residual, index);
  }
  const offsets = new Map<number, number>();
  let living: readonly Block[] = [];
  let bytes = 0;
  const place = (tensor: number, size: number, offset: number): void => {
    offsets.set(tensor, offset);
    living = [...living, { offset, bytes: size, until: lastReads.get(tensor) ?? 0 }];
    bytes = Math.max(bytes, offset + size);
  };
  layers.forEach((layer, index) => {
    living = living.filter(({ until }) => until >= index);
    if (!offsets.has(layer.input)) place(layer.input, layer.inEdge ** 2 * PIXEL_BYTES, 0);
    const size = layer.outEdge ** 2 * layer.outChannels * FLOAT_BYTES;
    const { residual } = layer;
    const isInPlace =
      residual !== null && lastReads.get(residual) === index && layer.residualChannels === layer.outChannels;
    const inPlace = isInPlace ? offsets.get(residual) : undefined;
    place(layer.output, size, inPlace ?? lowestFree(living, size));
  });
  return { offsets, bytes };
}

function lowestFree(living: readonly Block[], size: number): number {
  let offset = 0;
  for (const block of [...living].sort((a, b) => a.offset - b.offset)) {
    if (block.offset - offset >= size) break;
    offset = Math.max(offset, block.offset + block.bytes);
  }
  return offset;
}
