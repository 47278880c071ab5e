import { LIMITS } from "#api/limits.ts";
import { recentSecret, type VerifiedImage } from "#domains/images/recent-images.ts";
import { clock } from "#platform/clock.ts";
import type { Isolate } from "./isolate-state.ts";
import { HARDENING, requestIdOf } from "./request-id.ts";

/** Headers of a stored image. Any page may show it; caches drop it when its URL expires. */
export function imageHeaders({ contentType, etag, expiresAtMs }: VerifiedImage, nowMs: number) {
  const leftSeconds = expiresAtMs === null ? LIMITS.imageCacheSeconds : (expiresAtMs - nowMs) / 1_000;
  const maxAge = Math.floor(Math.min(LIMITS.imageCacheSeconds, leftSeconds));
  return {
    "Content-Type": contentType,
    "Cache-Control": `public, max-age=${maxAge}, immutable`,
    ETag: etag,
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
}

/**
 * Serves an image whose URL this isolate has verified while its secret is cached: one storage read, no application, no
 * log line. Returns null for requests that the route must answer, also when storage fails.
 */
export function showVerifiedImage(
  { url, method, headers }: Request,
  { recentImages, capabilities: { storage } }: Isolate,
): Promise<Response | null> | null {
  const image = recentImages.verified.get(url);
  if (image === undefined || method !== "GET" || storage === null) return null;
  const nowMs = clock.now();
  if (image.expiresAtMs !== null && image.expiresAtMs <= nowMs) return null;
  if (!recentSecret(recentImages, image.key, nowMs)) return null;
  const held = headers.get("If-None-Match");
  if (held !== null && held !== image.etag) return null;
  const shown = {
    ...HARDENING,
    ...imageHeaders(image, nowMs),
    "X-Request-ID": requestIdOf(headers.get("X-Request-ID") ?? undefined),
  };
  if (held !== null) return Promise.resolve(new Response(null, { status: 304, headers: shown }));
  return storage.get(image.objectKey).then(
    (object) => object && new Response(object.body, { headers: shown }),
    () => null,
  );
}
