import { parseArgs } from "node:util";

/** Parses `--check`: compare the output with the committed files without changing them. */
export const readCheckOption = (): boolean =>
  parseArgs({ options: { check: { type: "boolean", default: false } } }).values.check;
