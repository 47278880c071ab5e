/**
 * Counts what code holds of large buffers and WASM memories as if nothing were ever collected: a buffer counts from its
 * making until it is detached, a WASM memory for good. The count is the same in every run, and no less than the truth.
 */
export interface HeldMemory {
  /** The most bytes held at once since the watch began. */
  readonly peakBytes: () => number;
  /** Counts a buffer that was made elsewhere, such as a file's. */
  readonly add: (bytes: Uint8Array) => void;
  /** Stops watching. */
  readonly end: () => void;
}

/** Smaller ones are many and short-lived. */
const COUNTED_BYTES_MIN = 64 * 1024;

const ARRAYS = [
  ...["Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"],
  ...["Float32Array", "Float64Array"],
];

type Constructor = new (...given: unknown[]) => object;

/** Watches what is made by its global name until `end`. One watch at a time. */
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
  const addMemory = (instance: WebAssembly.Instance): void => {
    for (const exported of Object.values(instance.exports)) {
      if (exported instanceof WebAssembly.Memory) memories.add(exported);
    }
    look();
  };

  const undo: (() => void)[] = [];
  const replace = (owner: object, name: string, replacement: unknown): void => {
    const original: unknown = Reflect.get(owner, name);
    Reflect.set(owner, name, replacement);
    undo.push(() => Reflect.set(owner, name, original));
  };
  const watch = (owner: object, name: string, onMade: (made: object) => void): void => {
    const original: Constructor = Reflect.get(owner, name);
    const construct = (target: Constructor, given: unknown[]): object => {
      const made = new target(...given);
      onMade(made);
      return made;
    };
    replace(owner, name, new Proxy(original, { construct }));
  };
  for (const name of ARRAYS) {
    watch(globalThis, name, (made) => {
      if (ArrayBuffer.isView(made)) addBuffer(made.buffer);
    });
  }
  const { Instance, instantiate } = WebAssembly;
  watch(WebAssembly, "Instance", (made) => {
    if (made instanceof Instance) addMemory(made);
  });
  const watched = async (module: WebAssembly.Module, imports?: WebAssembly.Imports) => {
    const instance = await instantiate(module, imports);
    addMemory(instance);
    return instance;
  };
  replace(WebAssembly, "instantiate", watched);

  return {
    peakBytes: () => {
      look();
      return peakBytes;
    },
    add: ({ buffer }) => addBuffer(buffer),
    end: () => {
      for (const restore of undo) restore();
    },
  };
}
