/** The exports of `kernels/deflate`. */
interface DeflateExports {
  readonly memory: WebAssembly.Memory;
  begin(bytes: number, codeBitsMax: number): number;
  inputAt(): number;
  outputAt(): number;
  deflate(): number;
}

/** What the format allows. Fewer, 9 at least, cost bytes; tests shorten codes by it that data hardly ever makes longer. */
const CODE_BITS_MAX = 15;

/**
 * `bytes` as a zlib stream, by the compiled `kernels/deflate` in an instance that is dropped with its memory: about
 * 2.5 times `bytes`. Throws a RangeError for more than 3 MB of them.
 */
export function deflated(
  deflater: WebAssembly.Module,
  bytes: Uint8Array,
  codeBitsMax = CODE_BITS_MAX,
): Uint8Array<ArrayBuffer> {
  const wasm = new WebAssembly.Instance(deflater).exports as unknown as DeflateExports;
  if (wasm.begin(bytes.length, codeBitsMax) !== 0)
    throw new RangeError(`too much to deflate: ${bytes.length} bytes`);
  new Uint8Array(wasm.memory.buffer).set(bytes, wasm.inputAt());
  const length = wasm.deflate();
  return new Uint8Array(wasm.memory.buffer).slice(wasm.outputAt(), wasm.outputAt() + length);
}
