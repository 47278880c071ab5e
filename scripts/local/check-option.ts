import { parseArgs } from "node:util";

/** Reads `--check`: compare what a script makes with the committed files, and change nothing. */
export const readCheckOption = (): boolean =>
  parseArgs({ options: { check: { type: "boolean", default: false } } }).values.check;
