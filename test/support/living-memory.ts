import { setFlagsFromString } from "node:v8";
import { runInNewContext, runInThisContext } from "node:vm";
import { watchBuffers, watchMemories } from "./watch-allocations.ts";

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

/** What the first collection frees may have held more. */
const ROUNDS = 2;

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

/**
 * Waits for the compiler. Hot functions are compiled on other threads, and until that is done, which takes long beside
 * other work, a closure that is compiled lives on with all that it refers to.
 */
function endCompiling(): void {
  setFlagsFromString("--allow-natives-syntax");
  runInThisContext("%FinalizeOptimization()");
  setFlagsFromString("--no-allow-natives-syntax");
}

/** What is referred to by a WeakRef that was made or read lives until its job ends. */
const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Watches what is made by its global name until `end`. One watch at a time. */
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
      for (const end of ends) end();
    },
  };
}
