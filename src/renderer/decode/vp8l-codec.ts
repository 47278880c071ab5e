import type { Codec } from "../codec.ts";

/** `too_complex`: the file's lookup tables exceed their limit. */
export type Vp8lStart = "ready" | "damaged" | "too_complex";

export interface Vp8lDecoder extends Codec {
  /**
   * Starts with the body of a `VP8L` chunk, whose header must have the same size. With a `factor`, boxes of `factor` ×
   * `factor` pixels are averaged.
   */
  start(body: Uint8Array, width: number, height: number, factor?: number): Vp8lStart;
  /** Starts with the body of an `ALPH` chunk. */
  startAlpha(body: Uint8Array, width: number, height: number): Vp8lStart;
  /**
   * The next rows, at most `rowsMax`, and at least one until the last: straight RGBA, or a byte a pixel after
   * `startAlpha`. A view of the kernel's memory, valid until the next call. Null when the data is damaged or ends
   * early, and past the last row.
   */
  nextRows(rowsMax: number): Uint8Array | null;
  /** Whether every pixel so far was opaque. */
  isOpaque(): boolean;
  /** Features of the file: bits 0 to 3 are the kinds of transforms, 4 the colour cache, 5 the entropy image. */
  features(): number;
}

interface Vp8lExports {
  readonly memory: WebAssembly.Memory;
  start(width: number, height: number, factor: number): number;
  inputAt(): number;
  inputRoom(): number;
  feed(bytes: number, isEnd: number): void;
  run(rowsMax: number): number;
  rowsAt(): number;
  rowsReady(): number;
  isOpaque(): number;
  features(): number;
}

/** Status codes of `run`. */
const READY = 0;
const NEEDS_INPUT = 1;
const DAMAGED = 2;

const NOTHING = new Uint8Array(0);

export function createVp8lDecoder(module: WebAssembly.Module): Vp8lDecoder {
  const wasm = new WebAssembly.Instance(module).exports as unknown as Vp8lExports;
  let body: Uint8Array = NOTHING;
  let fed = 0;
  let rowBytes = 0;
  let rowsLeft = 0;

  const feed = (): void => {
    const to = wasm.inputAt();
    const bytes = body.subarray(fed, fed + wasm.inputRoom());
    new Uint8Array(wasm.memory.buffer, to, bytes.length).set(bytes);
    fed += bytes.length;
    const isEnd = fed === body.length;
    wasm.feed(bytes.length, isEnd ? 1 : 0);
    // Releases the file as soon as it is read.
    if (isEnd) {
      body = NOTHING;
      fed = 0;
    }
  };

  /** Decodes up to `rowsMax` rows; with 0, everything before the first row. */
  const run = (rowsMax: number): number => {
    let status = wasm.run(rowsMax);
    while (status === NEEDS_INPUT && fed < body.length) {
      feed();
      status = wasm.run(rowsMax);
    }
    return status;
  };

  const begin = (bytes: Uint8Array, width: number, height: number, factor: number): Vp8lStart => {
    body = NOTHING;
    rowsLeft = 0;
    if (bytes.length === 0) return "damaged";
    if (wasm.start(width, height, factor) !== READY) return "too_complex";
    body = bytes;
    fed = 0;
    feed();
    const status = run(0);
    if (status !== READY) return status === DAMAGED || status === NEEDS_INPUT ? "damaged" : "too_complex";
    rowBytes = factor === 0 ? width : Math.ceil(width / factor) * 4;
    rowsLeft = Math.ceil(height / Math.max(1, factor));
    return "ready";
  };

  return {
    memoryBytes: () => wasm.memory.buffer.byteLength,
    start: (bytes, width, height, factor = 1) => begin(bytes, width, height, factor),
    startAlpha: (bytes, width, height) => begin(bytes, width, height, 0),
    nextRows(rowsMax) {
      if (rowsLeft === 0) return null;
      const isReady = run(Math.min(rowsMax, rowsLeft)) === READY;
      const rows = isReady ? wasm.rowsReady() : 0;
      rowsLeft = rows === 0 ? 0 : rowsLeft - rows;
      return rows === 0 ? null : new Uint8Array(wasm.memory.buffer, wasm.rowsAt(), rows * rowBytes);
    },
    isOpaque: () => wasm.isOpaque() === 1,
    features: () => wasm.features(),
  };
}
