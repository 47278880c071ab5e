import type { Env } from "./env.ts";

/**
 * Whether pages draw previews themselves as one types, by the renderer that they are sent: LIVE_PREVIEWS, `on` where it is
 * unset. Anything else than `on` and `off` is no decision and opens nothing: null, read as `off`.
 */
export function livePreviewsOf({ LIVE_PREVIEWS: setting }: Env): "on" | "off" | null {
  if (setting === undefined) return "on";
  return setting === "on" || setting === "off" ? setting : null;
}
