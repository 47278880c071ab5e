import { watchMemories } from "../../support/watch-allocations.ts";

/**
 * Tracks the memory of WASM instances. Codecs create instances and drop those that have grown. Only a reference to an
 * instance's memory shows its size.
 */
export interface WasmMemories {
  /** Bytes of all instances that were created or grew since the last call. */
  takeBytes(): number;
}

interface Known {
  readonly memory: WeakRef<WebAssembly.Memory>;
  readonly bytes: number;
}

export function watchWasmMemories(): WasmMemories {
  /**
   * References that keep instances alive, so that an instance dropped in the middle of a file is counted at its end.
   */
  let made = new Set<WebAssembly.Memory>();
  let earlier: Known[] = [];
  watchMemories((memories) => {
    for (const memory of memories) made.add(memory);
  });
  return {
    takeBytes() {
      let bytes = 0;
      const living: Known[] = [];
      for (const known of earlier) {
        const memory = known.memory.deref();
        if (memory === undefined) continue;
        const bytesNow = memory.buffer.byteLength;
        if (bytesNow !== known.bytes) bytes += bytesNow;
        living.push({ memory: known.memory, bytes: bytesNow });
      }
      for (const memory of made) {
        bytes += memory.buffer.byteLength;
        living.push({ memory: new WeakRef(memory), bytes: memory.buffer.byteLength });
      }
      earlier = living;
      made = new Set();
      return bytes;
    },
  };
}
