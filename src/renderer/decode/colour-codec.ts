import type { Codec } from "../codec.ts";

/** A conversion to sRGB, as the tables that `kernels/colour` documents. */
export interface Conversion {
  readonly kind: "matrix" | "clut" | "ink_clut";
  readonly tables: Int32Array;
  readonly nodes: Uint8Array | Uint16Array;
  /** Bytes from a node to its neighbour along the first of four channels; unused for three channels. */
  readonly lineBytes: number;
}

export interface ColourConverter extends Codec {
  /** Converts pixels of three or four bytes in place. Alpha is kept; CMYK becomes opaque RGBA. */
  convert(conversion: Conversion, pixels: Uint8ClampedArray, pixelBytes: 3 | 4): void;
}

interface ColourKernel {
  readonly memory: WebAssembly.Memory;
  layOut(tableBytes: number, nodeBytes: number): number;
  pixelsAt(): number;
  tablesAt(): number;
  nodesAt(): number;
  convertByMatrix(count: number, pixelBytes: number): void;
  convertByClut(count: number, pixelBytes: number): void;
  convertByInkClut(count: number, lineBytes: number): void;
}

const BATCH_PX = 16_384;

export async function createColourConverter(module: WebAssembly.Module): Promise<ColourConverter> {
  const instance = await WebAssembly.instantiate(module);
  const kernel = instance.exports as unknown as ColourKernel;
  let prepared: Conversion | null = null;

  const prepare = (conversion: Conversion): void => {
    const { tables, nodes } = conversion;
    prepared = null;
    if (kernel.layOut(tables.byteLength, nodes.byteLength) !== 0) throw new Error("no memory for a CLUT");
    new Int32Array(kernel.memory.buffer, kernel.tablesAt()).set(tables);
    new Uint8Array(kernel.memory.buffer).set(
      new Uint8Array(nodes.buffer, nodes.byteOffset, nodes.byteLength),
      kernel.nodesAt(),
    );
    prepared = conversion;
  };

  return {
    memoryBytes: () => kernel.memory.buffer.byteLength,
    convert(conversion, pixels, pixelBytes) {
      if (prepared !== conversion) prepare(conversion);
      const memory = new Uint8Array(kernel.memory.buffer);
      const to = kernel.pixelsAt();
      for (let start = 0; start < pixels.length; start += BATCH_PX * pixelBytes) {
        const batch = pixels.subarray(start, start + BATCH_PX * pixelBytes);
        const count = batch.length / pixelBytes;
        memory.set(batch, to);
        if (conversion.kind === "matrix") kernel.convertByMatrix(count, pixelBytes);
        else if (conversion.kind === "clut") kernel.convertByClut(count, pixelBytes);
        else kernel.convertByInkClut(count, conversion.lineBytes);
        batch.set(memory.subarray(to, to + batch.length));
      }
    },
  };
}
