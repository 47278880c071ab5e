/**
 * Bindings of `kernels/h264.wasm`, which is minih264: RGBA frames in, NAL units out. Memory above the module's stack is
 * laid out once per stream: parameters, the encoder's state and scratch, a frame's pixels and its planes.
 */

/** A stream of frames of one size. */
export interface H264Stream {
  /** The pixels of the next frame, RGBA and opaque. The encoder does not change them. */
  readonly pixels: Uint8ClampedArray;
  /**
   * Encodes the frame to NAL units in Annex B. `quantiser`: 10 is best, 51 smallest. Null when the encoder failed; the
   * stream then ends.
   */
  encode(quantiser: number): Uint8Array | null;
}

export interface H264Codec {
  /** `keyFrameEvery`: frames from one key frame to the next. */
  open(width: number, height: number, keyFrameEvery: number): H264Stream;
}

interface Kernel {
  readonly memory: WebAssembly.Memory;
  readonly sizes: (parameters: number, persistentSize: number, scratchSize: number) => number;
  readonly begin: (persistent: number, parameters: number) => void;
  readonly encode: (
    persistent: number,
    scratch: number,
    run: number,
    picture: number,
    bytes: number,
    length: number,
  ) => number;
  readonly toPlanes: (rgba: number, width: number, height: number, planes: number) => void;
}

const HEAP_FROM = 65_536;
const PAGE_BYTES = 65_536;
const ALIGNMENT = 64;
/** `H264E_create_param_t` has 14 words here: the module is built for a single layer without threads. */
const PARAMETER_WORDS = 14;
const RUN_WORDS = 10;
const PICTURE_WORDS = 6;
/** 0 is slowest and best, 10 fastest: on packs, 5 takes half the time of 0 for 1 % more bytes. */
const SPEED = 5;

/** Instantiates the kernel in zeroed memory. */
export function createH264Codec(module: WebAssembly.Module, memory: WebAssembly.Memory): H264Codec {
  const kernel = kernelOf(new WebAssembly.Instance(module, { env: { memory } }).exports);
  const words = (at: number, ...values: readonly number[]): void => {
    const view = new DataView(kernel.memory.buffer);
    values.forEach((value, word) => {
      view.setInt32(at + word * 4, value, true);
    });
  };
  const word = (at: number): number => new DataView(kernel.memory.buffer).getInt32(at, true);
  return {
    open: (width, height, keyFrameEvery) => {
      let end = HEAP_FROM;
      const room = (bytes: number): number => {
        const at = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
        end = at + bytes;
        const missing = Math.ceil((end - kernel.memory.buffer.byteLength) / PAGE_BYTES);
        if (missing > 0) kernel.memory.grow(missing);
        return at;
      };
      const [parameters, run, picture, sizes] = [
        room(PARAMETER_WORDS * 4),
        room(RUN_WORDS * 4),
        room(PICTURE_WORDS * 4),
        room(8),
      ];
      // Width, height, frames between key frames; constant quantiser, input not kept, one layer.
      words(parameters, width, height, keyFrameEvery, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
      const status = kernel.sizes(parameters, sizes, sizes + 4);
      if (status !== 0) throw new Error(`minih264 refuses ${width} x ${height}: ${status}`);
      const persistent = room(word(sizes));
      const scratch = room(word(sizes + 4));
      const area = width * height;
      const planes = room((area * 3) / 2);
      const pixelsAt = room(area * 4);
      words(picture, planes, planes + area, planes + (area * 5) / 4, width, width / 2, width / 2);
      new Uint8Array(kernel.memory.buffer, persistent, planes - persistent).fill(0);
      kernel.begin(persistent, parameters);
      return {
        pixels: new Uint8ClampedArray(kernel.memory.buffer, pixelsAt, area * 4),
        encode: (quantiser) => {
          kernel.toPlanes(pixelsAt, width, height, planes);
          words(run, SPEED, 0, 0, 0, 0, quantiser, quantiser, 0, 0, 0);
          try {
            if (kernel.encode(persistent, scratch, run, picture, sizes, sizes + 4) !== 0) return null;
          } catch {
            return null;
          }
          return asConstrained(new Uint8Array(kernel.memory.buffer, word(sizes), word(sizes + 4)).slice());
        },
      };
    },
  };
}

/** NAL unit type at the start of each key frame. */
const SEQUENCE_PARAMETERS = 7;

/** Whether a frame can be decoded without others. */
export const isKeyFrame = (frame: Uint8Array): boolean => (frame[4] ?? 0) % 32 === SEQUENCE_PARAMETERS;

/**
 * Sets the flags that minih264 omits: minih264 writes every slice once and in order, which makes the stream constrained
 * baseline (H.264, A.2.1.1), the only baseline that hardware decoders accept.
 */
function asConstrained(frame: Uint8Array): Uint8Array {
  if (isKeyFrame(frame)) frame[6] = (frame[6] ?? 0) | 0xc0;
  return frame;
}

function kernelOf(exports: Record<string, unknown>): Kernel {
  const { memory, sizes, begin, encode, toPlanes } = exports;
  if (
    !(memory instanceof WebAssembly.Memory) ||
    !isFunction(sizes) ||
    !isFunction(begin) ||
    !isFunction(encode) ||
    !isFunction(toPlanes)
  )
    throw new Error("This is not the H.264 kernel.");
  return { memory, sizes, begin, encode, toPlanes };
}

const isFunction = (value: unknown): value is (...numbers: number[]) => number => typeof value === "function";
