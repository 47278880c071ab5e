/**
 * Keeps account of the memory of WASM instances. Codecs make instances of their own and drop those that have
 * grown; what such an instance took is seen only by whoever holds its memory.
 */
export interface WasmMemories {
  /** Bytes of all instances that were made or grew since the last call. */
  takeBytes(): number;
}

interface Known {
  readonly memory: WeakRef<WebAssembly.Memory>;
  readonly bytes: number;
}

export function watchWasmMemories(): WasmMemories {
  /** Held so that an instance dropped in the middle of a file is counted at its end. */
  let made = new Set<WebAssembly.Memory>();
  let earlier: Known[] = [];
  const note = (instance: WebAssembly.Instance): void => {
    for (const exported of Object.values(instance.exports)) {
      if (exported instanceof WebAssembly.Memory) made.add(exported);
    }
  };
  const Original = WebAssembly.Instance;
  const instantiate = WebAssembly.instantiate;
  Object.defineProperty(WebAssembly, "Instance", {
    value: new Proxy(Original, {
      construct(target, parameters) {
        const instance: WebAssembly.Instance = Reflect.construct(target, parameters);
        note(instance);
        return instance;
      },
    }),
  });
  Object.defineProperty(WebAssembly, "instantiate", {
    value: async (...parameters: Parameters<typeof instantiate>) => {
      const instance = await instantiate(...parameters);
      note(instance);
      return instance;
    },
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
