import type { RenderFailure } from "../types.ts";

/** An image that cannot be drawn, with what to do about it. */
export function unreadable(message: string): RenderFailure {
  return { ok: false, code: "ASSET_UNREADABLE", message };
}
