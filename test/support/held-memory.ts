import { watchBuffers, watchMemories } from "./watch-allocations.ts";

/**
 * Counts large buffers and WASM memories as if nothing were garbage-collected: a buffer from creation until it is
 * detached, a WASM memory for good. The count is reproducible, and an upper bound.
 */
export interface HeldMemory {
  /** The peak since the watch began. */
  readonly peakBytes: () => number;
  /** Counts a buffer created elsewhere, such as a file's. */
  readonly add: (bytes: Uint8Array) => void;
  readonly end: () => void;
}

/** Smaller buffers are not counted: they are many and short-lived. */
const COUNTED_BYTES_MIN = 64 * 1024;

/** Watches allocations through global names until `end`. One watch at a time. */
export function watchMemory(): HeldMemory {
  const buffers = new Set<ArrayBufferLike>();
  const memories = new Set<WebAssembly.Memory>();
  let peakBytes = 0;

  const look = (): void => {
    let held = 0;
    for (const buffer of buffers) {
      if (buffer.byteLength === 0) buffers.delete(buffer);
      held += buffer.byteLength;
    }
    for (const { buffer } of memories) held += buffer.byteLength;
    peakBytes = Math.max(peakBytes, held);
  };
  const addBuffer = (buffer: ArrayBufferLike): void => {
    if (buffer.byteLength < COUNTED_BYTES_MIN || buffers.has(buffer)) return;
    for (const memory of memories) if (memory.buffer === buffer) return;
    buffers.add(buffer);
    look();
  };
  const addMemories = (made: readonly WebAssembly.Memory[]): void => {
    for (const memory of made) memories.add(memory);
    look();
  };
  const ends = [watchBuffers(addBuffer), watchMemories(addMemories)];

  return {
    peakBytes: () => {
      look();
      return peakBytes;
    },
    add: ({ buffer }) => addBuffer(buffer),
    end: () => {
      for (const end of ends) end();
    },
  };
}
