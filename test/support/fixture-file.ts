import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of test/fixtures. */
export const fixtureFile = (path: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(readFileSync(join(import.meta.dirname, "../fixtures", path)));
