import type { RenderFailure } from "../types.ts";

/** Says how far off the smallest acceptable file is. */
export function byteCapUnreachable(actual: number, allowed: number, format: string): RenderFailure {
  return {
    ok: false,
    code: "BYTE_CAP_UNREACHABLE",
    message: `At the lowest acceptable quality the ${format} takes ${actual} bytes, and the size allows ${allowed}. Use a calmer picture or another format.`,
  };
}
