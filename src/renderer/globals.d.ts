/**
 * The web standards that workerd and Node share and the renderer may use.
 * Declared here so that the renderer compiles without the types of either runtime.
 */
declare namespace WebAssembly {
  type ImportValue = unknown;
  type Imports = Record<string, Record<string, ImportValue>>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Record<string, unknown>;
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Table {
    readonly length: number;
    grow(elements: number): number;
    get(index: number): unknown;
    set(index: number, value: unknown): void;
  }
  class Global {
    constructor(descriptor: { value: "i32"; mutable?: boolean }, value?: number);
    value: number;
  }
  class RuntimeError extends Error {}
  function instantiate(module: Module, imports?: Imports): Promise<Instance>;
}

interface SubtleCrypto {
  digest(algorithm: string, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
}
interface Crypto {
  readonly subtle: SubtleCrypto;
}
declare const crypto: Crypto;

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}
