const ARRAYS = [
  ...["Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"],
  ...["Float32Array", "Float64Array"],
];

type Constructor = new (...given: unknown[]) => object;

/** Who is told of what is made. */
export interface AllocationWatcher {
  readonly onBuffer: (buffer: ArrayBufferLike) => void;
  /** The WASM memories that a new instance exports; perhaps none. */
  readonly onMemories: (memories: readonly WebAssembly.Memory[]) => void;
}

/** Tells of typed arrays and WASM instances that are made by their global names. Gives what ends it. One watch at a time. */
export function watchAllocations({ onBuffer, onMemories }: AllocationWatcher): () => void {
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
  const addInstance = ({ exports }: WebAssembly.Instance): void => {
    onMemories(Object.values(exports).filter((exported) => exported instanceof WebAssembly.Memory));
  };
  for (const name of ARRAYS) {
    watch(globalThis, name, (made) => {
      if (ArrayBuffer.isView(made)) onBuffer(made.buffer);
    });
  }
  const { Instance, instantiate } = WebAssembly;
  watch(WebAssembly, "Instance", (made) => {
    if (made instanceof Instance) addInstance(made);
  });
  replace(WebAssembly, "instantiate", async (module: WebAssembly.Module, imports?: WebAssembly.Imports) => {
    const instance = await instantiate(module, imports);
    addInstance(instance);
    return instance;
  });
  return () => {
    for (const restore of undo) restore();
  };
}
