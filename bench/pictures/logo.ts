import { readFile } from "node:fs/promises";
import { inRoot } from "../../scripts/local/paths.ts";

/** What the cases that draw have in common, besides the sizes and words of `bench/pack-of-ten.ts`. */

export const readLogo = async (): Promise<Uint8Array<ArrayBuffer>> =>
  Uint8Array.from(await readFile(inRoot("samples/logo.svg")));
