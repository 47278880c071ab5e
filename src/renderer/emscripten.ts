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

/** Options that make Emscripten's loader instantiate a module compiled beforehand, and keep it silent. */
export function emscriptenOptions(module: WebAssembly.Module): EmscriptenOptions {
  return {
    noInitialRun: true,
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports, ready) => {
      const instance = new WebAssembly.Instance(module, imports);
      ready(instance);
      return instance.exports;
    },
  };
}
