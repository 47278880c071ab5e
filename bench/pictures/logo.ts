import { readFile } from "node:fs/promises";
import { inRoot } from "../../scripts/local/paths.ts";

export const readLogo = async (): Promise<Uint8Array<ArrayBuffer>> =>
  Uint8Array.from(await readFile(inRoot("samples/logo.svg")));
