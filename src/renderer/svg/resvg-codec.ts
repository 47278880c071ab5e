import type { Codec } from "../codec.ts";
import type { Raster } from "../types.ts";

export interface SvgRasteriser extends Codec {
  /** Draws an SVG text stretched to exactly `width` × `height`; premultiplied. Throws when the codec fails. */
  draw(svg: string, width: number, height: number): Raster;
}

/** The used exports of resvg-wasm 2.6, with wasm-bindgen's conventions. */
interface ResvgExports {
  readonly memory: WebAssembly.Memory;
  resvg_new(out: number, svg: number, options: number, optionsLength: number, fonts: number): void;
  resvg_render(out: number, resvg: number): void;
  renderedimage_width(image: number): number;
  renderedimage_height(image: number): number;
  renderedimage_pixels(image: number): number;
  __wbg_resvg_free(resvg: number): void;
  __wbg_renderedimage_free(image: number): void;
  __wbindgen_add_to_stack_pointer(delta: number): number;
  __wbindgen_malloc(bytes: number, align: number): number;
}

/** Handles below this are the constants undefined, null, true and false. */
const FIRST_FREE_HANDLE = 132;

/** The picture keeps the size of its root element; fonts are never loaded. */
const OPTIONS = JSON.stringify({ fitTo: { mode: "original" }, font: { loadSystemFonts: false } });

/**
 * Binds resvg to its own instance. The package's JavaScript has a single instance for the life of the process, which
 * can neither be replaced after a trap nor release its memory.
 */
export async function createSvgRasteriser(module: WebAssembly.Module): Promise<SvgRasteriser> {
  const handles = new Map<number, unknown>();
  let nextHandle = FIRST_FREE_HANDLE;
  const hold = (value: unknown): number => {
    handles.set(nextHandle, value);
    return nextHandle++;
  };
  const take = (handle: number): unknown => {
    const value = handles.get(handle);
    handles.delete(handle);
    return value;
  };
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const text = (pointer: number, length: number): string =>
    decoder.decode(new Uint8Array(wasm.memory.buffer, pointer, length));
  const pass = (value: string): readonly [pointer: number, length: number] => {
    const bytes = encoder.encode(value);
    const pointer = wasm.__wbindgen_malloc(bytes.length, 1);
    new Uint8Array(wasm.memory.buffer, pointer, bytes.length).set(bytes);
    return [pointer, bytes.length];
  };

  const copyBytes = (handle = 0): number => {
    const view = handles.get(handle);
    return hold(view instanceof ArrayBuffer || view instanceof Uint8Array ? new Uint8Array(view) : null);
  };
  const refuse = (): never => {
    throw new Error("resvg asked for fonts or linked images, and is given none");
  };
  // wasm-bindgen generated these hashes for the pinned release.
  const instance = await WebAssembly.instantiate(module, {
    wbg: {
      __wbg_new_28c511d9baebfa89: (pointer: number, length: number) => hold(new Error(text(pointer, length))),
      __wbindgen_memory: () => hold(wasm.memory),
      __wbg_buffer_12d079cc21e14bdb: () => hold(wasm.memory.buffer),
      __wbg_newwithbyteoffsetandlength_aa4a17c33a06e5cb: (_buffer: number, offset: number, length: number) =>
        hold(new Uint8Array(wasm.memory.buffer, offset >>> 0, length >>> 0)),
      __wbindgen_object_drop_ref: (handle: number) => void take(handle),
      __wbg_new_63b92bc8671ed464: copyBytes,
      __wbg_values_839f3396d5aac002: refuse,
      __wbg_next_196c84450b364254: refuse,
      __wbg_done_298b57d23c0fc80c: refuse,
      __wbg_value_d93c65011f51a456: refuse,
      __wbg_instanceof_Uint8Array_2b3bbecd033d19f6: (handle: number) =>
        handles.get(handle) instanceof Uint8Array ? 1 : 0,
      __wbindgen_string_get: (out: number, handle: number) => {
        const value = handles.get(handle);
        const passed = typeof value === "string" ? pass(value) : ([0, 0] as const);
        new Uint32Array(wasm.memory.buffer, out, 2).set(passed);
      },
      __wbg_new_16b304a2cfa7ff4a: refuse,
      __wbindgen_string_new: (pointer: number, length: number) => hold(text(pointer, length)),
      __wbg_push_a5b05aedc7234f9f: refuse,
      __wbg_length_c20a40f15020d68a: (handle: number) => {
        const view = handles.get(handle);
        return view instanceof Uint8Array ? view.length : 0;
      },
      __wbg_set_a47bac70306a19a7: refuse,
      __wbindgen_throw: (pointer: number, length: number) => {
        throw new Error(text(pointer, length));
      },
    },
  });
  const wasm = instance.exports as unknown as ResvgExports;

  /** Calls a constructor that returns [object, error, has failed] through the shadow stack. */
  const construct = (call: (out: number) => void): number => {
    const out = wasm.__wbindgen_add_to_stack_pointer(-16);
    try {
      call(out);
      const [object = 0, error = 0, hasFailed = 0] = new Uint32Array(wasm.memory.buffer, out, 3);
      if (hasFailed !== 0) throw take(error);
      return object;
    } finally {
      wasm.__wbindgen_add_to_stack_pointer(16);
    }
  };

  return {
    memoryBytes: () => wasm.memory.buffer.byteLength,
    draw(svg, width, height) {
      const resvg = construct((out) => {
        const options = pass(OPTIONS);
        wasm.resvg_new(out, hold(svg), options[0], options[1], 0);
      });
      const image = construct((out) => wasm.resvg_render(out, resvg));
      const pixels = take(wasm.renderedimage_pixels(image));
      const isExact =
        wasm.renderedimage_width(image) === width && wasm.renderedimage_height(image) === height;
      wasm.__wbg_renderedimage_free(image);
      wasm.__wbg_resvg_free(resvg);
      if (!(pixels instanceof Uint8Array) || !isExact) throw new Error("resvg drew another size than asked");
      return {
        width,
        height,
        pixels: new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length),
        alpha: "premultiplied",
      };
    },
  };
}
