import type { Codec } from "../engine.ts";

/** Samples as the decoder leaves them in its memory; valid only until the next call. */
export interface JpegSamples {
  readonly width: number;
  readonly height: number;
  /** Interleaved bytes a pixel: 1 grey, 3 RGB, 4 CMYK. */
  readonly channels: 1 | 3 | 4;
  readonly samples: Uint8Array;
}

export interface JpegDecoder extends Codec {
  /**
   * Decodes at the smallest of 1/8, 1/4, 1/2 and 1/1 that is at least `width` × `height` (the inverse
   * DCT makes fewer pixels). `read` sees the samples in place. Null when the file does not decode.
   */
  decode<T>(bytes: Uint8Array, width: number, height: number, read: (image: JpegSamples) => T): T | null;
}

/** The exports of imagescript's `jpeg.wasm`: Rust's jpeg-decoder behind a C interface, no imports. */
interface JpegExports {
  readonly memory: WebAssembly.Memory;
  wlen(): number;
  walloc(bytes: number): number;
  wfree(pointer: number, bytes: number): void;
  decode(pointer: number, bytes: number, width: number, height: number): number;
  decode_free(image: number): void;
  decode_width(image: number): number;
  decode_height(image: number): number;
  /** 0 grey, 1 RGB, 2 CMYK. */
  decode_format(image: number): number;
  decode_buffer(image: number): number;
}

const CHANNELS = [1, 3, 4] as const;

/** `decode` answers these in place of an address when it fails. */
const LAST_FAILURE_CODE = 1;

export async function createJpegDecoder(module: WebAssembly.Module): Promise<JpegDecoder> {
  const instance = await WebAssembly.instantiate(module);
  const wasm = instance.exports as unknown as JpegExports;
  return {
    memoryBytes: () => wasm.memory.buffer.byteLength,
    decode(bytes, width, height, read) {
      const input = wasm.walloc(bytes.length);
      new Uint8Array(wasm.memory.buffer, input, bytes.length).set(bytes);
      // The callee takes the input over and frees it.
      const image = wasm.decode(input, bytes.length, width, height);
      if (image <= LAST_FAILURE_CODE) return null;
      try {
        const channels = CHANNELS[wasm.decode_format(image)];
        if (channels === undefined) return null;
        const decoded = { width: wasm.decode_width(image), height: wasm.decode_height(image), channels };
        const start = wasm.decode_buffer(image);
        const length = wasm.wlen();
        if (length !== decoded.width * decoded.height * channels) return null;
        return read({ ...decoded, samples: new Uint8Array(wasm.memory.buffer, start, length) });
      } finally {
        wasm.decode_free(image);
      }
    },
  };
}
