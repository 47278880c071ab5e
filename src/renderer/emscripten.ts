/** What the codecs that Emscripten compiled share. */
export interface EmscriptenModule {
  readonly HEAPU8: Uint8Array;
}

export interface EmscriptenOptions {
  readonly noInitialRun: boolean;
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    ready: (instance: WebAssembly.Instance) => void,
  ) => Record<string, unknown>;
}

/**
 * Options that make Emscripten's loader instantiate a module compiled beforehand, and keep it silent. Memory that
 * would grow past `memoryBytesMax` is refused to the codec, which then fails as it does without memory: what a
 * file makes a decoder reserve is known to the decoder alone.
 */
export function emscriptenOptions(
  module: WebAssembly.Module,
  memoryBytesMax = Number.POSITIVE_INFINITY,
): EmscriptenOptions {
  return {
    noInitialRun: true,
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports, ready) => {
      const instance = new WebAssembly.Instance(module, imports);
      for (const exported of Object.values(instance.exports)) {
        if (exported instanceof WebAssembly.Memory) limitGrowth(exported, memoryBytesMax);
      }
      ready(instance);
      return instance.exports;
    },
  };
}

const PAGE_BYTES = 65_536;

/** The loader grows the memory through this very object; a refusal is a thrown RangeError, as the platform's. */
function limitGrowth(memory: WebAssembly.Memory, bytesMax: number): void {
  const grow = memory.grow.bind(memory);
  Object.defineProperty(memory, "grow", {
    value: (pages: number): number => {
      if (memory.buffer.byteLength + pages * PAGE_BYTES > bytesMax) {
        throw new RangeError("the codec asks for more memory than it is given");
      }
      return grow(pages);
    },
  });
}
