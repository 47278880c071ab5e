/**
 * Bindings of `kernels/mozjpeg.wasm`, which is `mozjpeg_enc.wasm` of @jsquash/jpeg 1.6.0 with faster loops: pixels in,
 * a JPEG out.
 *
 * The package's own JavaScript passes pixels as a C++ string, which the module copies again: 17 MB for the 8 MB of a
 * 1080 × 1920 picture. Here the pixels are written to the module's memory once, and the C++ function reads them in
 * place. The module registers that function and the offsets of its options at start-up (Emscripten's embind).
 */

/** The module's exports, under the one-letter names that its linker assigned. */
interface MozjpegExports {
  /** Linear memory. */
  readonly C: WebAssembly.Memory;
  /** Runs the constructors, which register functions and types. */
  readonly D: () => void;
  readonly F: (bytes: number) => number;
  readonly G: (pointer: number) => void;
  /** The table of functions. */
  readonly H: WebAssembly.Table;
}

/** `val encode(std::string pixels, int width, int height, MozJpegOptions)`: class values are passed by address. */
type Encode = (result: number, pixels: number, width: number, height: number, options: number) => void;

export interface Mozjpeg {
  memoryBytes(): number;
  /** Allocates `width * height` pixels in the codec's memory. */
  open(width: number, height: number): OpenPicture;
}

/** A picture in the codec's memory, to be encoded repeatedly. Methods throw on failure. */
export interface OpenPicture {
  /**
   * RGBA, to be filled before anything is encoded; alpha is ignored. Invalid after the first `encode`, which may move
   * it.
   */
  readonly pixels: Uint8ClampedArray;
  encode(options: MozjpegOptions): Uint8Array;
  close(): void;
}

/** Options under the codec's own names. */
export type MozjpegOptions = Readonly<Record<string, number | boolean>>;

const PAGE_BYTES = 65_536;
const PIXEL_BYTES = 4;
/**
 * Bytes for the options, a string's header and a result together. Each of the three needs less than a third of them.
 */
const FRAME_BYTES = 192;
/** A long string of libc++: address, length, capacity with the highest bit set. */
const LONG_STRING = 0x8000_0000;
/** Stand-in for any JavaScript value that the module requests. It needs them only to make an array of its result. */
const ANY_HANDLE = 16;

/** Instantiates the module in zeroed memory. Throws for a module other than the one that these bindings support. */
export function createMozjpeg(module: WebAssembly.Module, memory: WebAssembly.Memory): Mozjpeg {
  const fields = new Map<string, number>();
  let encodeAt: number | null = null;
  let result: Uint8Array | null = null;

  const bytes = (): Uint8Array => new Uint8Array(wasm.C.buffer);
  const word = (at: number): number => new DataView(wasm.C.buffer).getUint32(at, true);
  const setWord = (at: number, value: number): void => new DataView(wasm.C.buffer).setUint32(at, value, true);
  const text = (at: number): string => {
    const memory = bytes();
    return String.fromCharCode(...memory.subarray(at, memory.indexOf(0, at)));
  };
  const ignore = (): void => {};
  const giveUp = (): never => {
    throw new Error("mozjpeg gave up");
  };

  const wasm = new WebAssembly.Instance(module, {
    a: {
      memory,
      b: (
        _struct: number,
        name: number,
        _type: number,
        _getting: number,
        _getter: number,
        offsetAt: number,
      ) => void fields.set(text(name), word(offsetAt)),
      e: (name: number, _count: number, _types: number, _signature: number, _invoker: number, at: number) => {
        if (text(name) === "encode") encodeAt = at;
      },
      // Registrations of types, which only the package's JavaScript needs.
      ...{
        a: ignore,
        c: ignore,
        d: ignore,
        f: ignore,
        g: ignore,
        h: ignore,
        i: ignore,
        k: ignore,
        l: ignore,
      },
      n: ignore,
      z: ignore,
      // `Uint8Array(memory view)`: looked up by name, as a constructor, and called with length and address.
      A: () => ANY_HANDLE,
      x: () => ANY_HANDLE,
      u: ignore,
      w: ignore,
      y: (_caller: number, _constructor: number, _destructors: number, view: number) => {
        result = bytes().slice(word(view + 4), word(view + 4) + word(view));
        return ANY_HANDLE;
      },
      s: (to: number, from: number, length: number) => void bytes().copyWithin(to, from, from + length),
      p: (size: number) => grow(wasm.C, size >>> 0),
      // No environment and no files; output to stderr is discarded.
      q: () => 0,
      r: (countAt: number, sizeAt: number) => {
        setWord(countAt, 0);
        setWord(sizeAt, 0);
        return 0;
      },
      m: () => 0,
      t: () => 0,
      v: (_file: number, parts: number, count: number, writtenAt: number) => {
        let written = 0;
        for (let part = 0; part < count; part += 1) written += word(parts + part * 8 + 4);
        setWord(writtenAt, written);
        return 0;
      },
      B: giveUp,
      j: giveUp,
      o: giveUp,
    },
  }).exports as unknown as MozjpegExports;
  wasm.D();
  if (encodeAt === null) throw new Error("the module has no function that encodes");
  const encode = wasm.H.get(encodeAt) as Encode;
  const reserve = (length: number): number => wasm.F(length) || giveUp();
  const frame = reserve(FRAME_BYTES);
  const [optionsAt, stringAt, resultAt] = [frame, frame + FRAME_BYTES / 3, frame + (FRAME_BYTES * 2) / 3];

  const writeOptions = (options: MozjpegOptions): void => {
    const view = new DataView(wasm.C.buffer, optionsAt);
    for (const [name, offset] of fields) {
      const value = options[name];
      if (value === undefined) throw new Error(`mozjpeg takes an option ${name}`);
      if (typeof value === "boolean") view.setUint8(offset, value ? 1 : 0);
      else view.setInt32(offset, value, true);
    }
  };

  return {
    memoryBytes: () => wasm.C.buffer.byteLength,
    open(width, height) {
      const length = width * height * PIXEL_BYTES;
      const at = reserve(length);
      return {
        pixels: new Uint8ClampedArray(wasm.C.buffer, at, length),
        encode(options) {
          writeOptions(options);
          setWord(stringAt, at);
          setWord(stringAt + 4, length);
          setWord(stringAt + 8, (LONG_STRING | length) >>> 0);
          result = null;
          encode(resultAt, stringAt, width, height, optionsAt);
          return result ?? giveUp();
        },
        close: () => wasm.G(at),
      };
    },
  };
}

/** Grows only by the missing pages. Returns 1 on success, as the module expects. */
function grow(memory: WebAssembly.Memory, size: number): number {
  try {
    memory.grow(Math.max(0, Math.ceil((size - memory.buffer.byteLength) / PAGE_BYTES)));
    return 1;
  } catch {
    return 0;
  }
}
