import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Counts the large buffers and WASM memories that code still refers to, whatever it has dropped and the engine has not
 * yet collected: everything is collected first.
 */
export interface LivingMemory {
  /** Collects, then counts what was made since the watch began and lives on. */
  readonly count: () => Promise<Living>;
  /** Stops watching. */
  readonly end: () => void;
}

export interface Living {
  readonly buffers: number;
  readonly memories: number;
  readonly bytes: number;
}

/** Smaller ones are many, and none of them is a picture, a font or a file. */
const COUNTED_BYTES_MIN = 16 * 1024;

const ARRAYS = [
  ...["Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"],
  ...["Float32Array", "Float64Array"],
];

type Constructor = new (...given: unknown[]) => object;

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

/** What is referred to by a WeakRef that was made or read lives until its job ends. */
const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Watches what is made by its global name until `end`. One watch at a time. */
export function watchLivingMemory(): LivingMemory {
  const collect = collector();
  const buffers = new Set<WeakRef<ArrayBufferLike>>();
  const known = new WeakSet<ArrayBufferLike>();
  const memories = new Set<WeakRef<WebAssembly.Memory>>();

  const addMemory = (instance: WebAssembly.Instance): void => {
    for (const exported of Object.values(instance.exports)) {
      if (!(exported instanceof WebAssembly.Memory)) continue;
      memories.add(new WeakRef(exported));
      known.add(exported.buffer);
    }
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
      if (!ArrayBuffer.isView(made) || made.buffer.byteLength < COUNTED_BYTES_MIN) return;
      if (known.has(made.buffer)) return;
      known.add(made.buffer);
      buffers.add(new WeakRef(made.buffer));
    });
  }
  const { Instance, instantiate } = WebAssembly;
  watch(WebAssembly, "Instance", (made) => {
    if (made instanceof Instance) addMemory(made);
  });
  replace(WebAssembly, "instantiate", async (module: WebAssembly.Module, imports?: WebAssembly.Imports) => {
    const instance = await instantiate(module, imports);
    addMemory(instance);
    return instance;
  });

  return {
    count: async () => {
      await nextTask();
      collect();
      await nextTask();
      collect();
      // A view of a WASM memory that has grown is of a buffer that no memory had when it was made.
      const grown = new Set<ArrayBufferLike>();
      let bytes = 0;
      for (const one of memories) {
        const memory = one.deref();
        if (memory === undefined) memories.delete(one);
        else {
          bytes += memory.buffer.byteLength;
          grown.add(memory.buffer);
        }
      }
      let counted = 0;
      for (const one of buffers) {
        const buffer = one.deref();
        if (buffer === undefined || buffer.byteLength === 0) buffers.delete(one);
        else if (!grown.has(buffer)) {
          counted += 1;
          bytes += buffer.byteLength;
        }
      }
      return { buffers: counted, memories: memories.size, bytes };
    },
    end: () => {
      for (const restore of undo) restore();
    },
  };
}
