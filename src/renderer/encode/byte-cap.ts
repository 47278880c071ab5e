import type { RenderFailure } from "../types.ts";

/** Says how far off the smallest acceptable file is; null where none was written to its end. */
export function byteCapUnreachable(actual: number | null, allowed: number, format: string): RenderFailure {
  const taken = actual === null ? "more" : `${actual} bytes`;
  return {
    ok: false,
    code: "BYTE_CAP_UNREACHABLE",
    message: `At the lowest acceptable quality the ${format} takes ${taken}, and the size allows ${allowed}. Use a calmer picture or another format.`,
  };
}
