/** The one part of Node's crypto that this worker uses; the runtime has it under nodejs_compat. */
declare module "node:crypto" {
  export function scrypt(
    password: string,
    salt: Uint8Array,
    keyLength: number,
    options: { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number },
    callback: (failure: Error | null, key: Uint8Array) => void,
  ): void;
}
