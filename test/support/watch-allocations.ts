const ARRAYS = [
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
];

type Constructor = new (...given: unknown[]) => object;

const memoriesOf = ({ exports }: WebAssembly.Instance): readonly WebAssembly.Memory[] =>
  Object.values(exports).filter((exported) => exported instanceof WebAssembly.Memory);

/** Replaces a property. Returns the function that restores it. */
function replace(owner: object, name: string, replacement: unknown): () => void {
  const original: unknown = Reflect.get(owner, name);
  Reflect.set(owner, name, replacement);
  return () => Reflect.set(owner, name, original);
}

function watchMade(owner: object, name: string, onMade: (made: object) => void): () => void {
  const original: Constructor = Reflect.get(owner, name);
  const construct = (target: Constructor, given: unknown[]): object => {
    const made = new target(...given);
    onMade(made);
    return made;
  };
  return replace(owner, name, new Proxy(original, { construct }));
}

/**
 * Calls `onMemories` with the WASM memories that each new instance exports, possibly none. Returns a function that ends
 * the watch.
 */
export function watchMemories(onMemories: (memories: readonly WebAssembly.Memory[]) => void): () => void {
  const { Instance, instantiate } = WebAssembly;
  const undo = [
    watchMade(WebAssembly, "Instance", (made) => {
      if (made instanceof Instance) onMemories(memoriesOf(made));
    }),
    replace(WebAssembly, "instantiate", async (source: WebAssembly.Module, imports?: WebAssembly.Imports) => {
      // `instantiate` returns an instance if it gets a module. If it gets bytes, as from the font builder, it returns
      // an object with the module and the instance.
      const made: object = await instantiate(source, imports);
      const instance: unknown = made instanceof Instance ? made : Reflect.get(made, "instance");
      if (instance instanceof Instance) onMemories(memoriesOf(instance));
      return made;
    }),
  ];
  return () => {
    for (const restore of undo) restore();
  };
}

/**
 * Calls back with typed arrays created through global names. Returns a function that ends the watch. Only one watch at
 * a time.
 */
export function watchBuffers(onBuffer: (buffer: ArrayBufferLike) => void): () => void {
  const undo = ARRAYS.map((name) =>
    watchMade(globalThis, name, (made) => {
      if (ArrayBuffer.isView(made)) onBuffer(made.buffer);
    }),
  );
  return () => {
    for (const restore of undo) restore();
  };
}
