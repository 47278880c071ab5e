/** The parts of Node's crypto that this worker uses; available under nodejs_compat. */
declare module "node:crypto" {
  interface Digester {
    /** Text is encoded as UTF-8. */
    update(value: string | Uint8Array): Digester;
    digest(): Uint8Array;
    digest(encoding: "hex"): string;
  }
  export function createHash(algorithm: "sha256"): Digester;
  export function createHmac(algorithm: "sha256", secret: string): Digester;
  export function scrypt(
    password: string,
    salt: Uint8Array,
    keyLength: number,
    options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
    callback: (failure: Error | null, key: Uint8Array) => void,
  ): void;
}
