import { setFlagsFromString } from "node:v8";
import { runInNewContext, runInThisContext } from "node:vm";
import { watchBuffers, watchMemories } from "./watch-allocations.ts";

/** Counts large buffers and WASM memories that are still referenced; runs garbage collection first. */
export interface LivingMemory {
  /**
   * Runs garbage collection, then counts the buffers and memories that were created since the watch began and survive.
   */
  readonly count: () => Promise<Living>;
  readonly end: () => void;
}

export interface Living {
  readonly buffers: number;
  readonly memories: number;
  readonly bytes: number;
}

/** Smaller buffers are not counted: they are many, and never an image, a font or a file. */
const COUNTED_BYTES_MIN = 16 * 1024;

/** Number of collections. The first one may free references to more objects. */
const ROUNDS = 2;

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

/**
 * Waits for the compiler. Hot functions are compiled on other threads, and until that is done, a closure being compiled
 * keeps alive everything that it references.
 */
function endCompiling(): void {
  setFlagsFromString("--allow-natives-syntax");
  runInThisContext("%FinalizeOptimization()");
  setFlagsFromString("--no-allow-natives-syntax");
}

/** A WeakRef's target stays alive until the end of the job that created or read it. */
const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Watches allocations through global names until `end`. One watch at a time. */
export function watchLivingMemory(): LivingMemory {
  const collect = collector();
  const buffers = new Set<WeakRef<ArrayBufferLike>>();
  const known = new WeakSet<ArrayBufferLike>();
  const memories = new Set<WeakRef<WebAssembly.Memory>>();

  const ends = [
    watchBuffers((buffer) => {
      if (buffer.byteLength < COUNTED_BYTES_MIN || known.has(buffer)) return;
      known.add(buffer);
      buffers.add(new WeakRef(buffer));
    }),
    watchMemories((made) => {
      for (const memory of made) {
        memories.add(new WeakRef(memory));
        known.add(memory.buffer);
      }
    }),
  ];

  return {
    count: async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await nextTask();
        endCompiling();
        collect();
      }
      // A grown WASM memory has a new buffer that was not seen at its creation.
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
      for (const end of ends) end();
    },
  };
}
