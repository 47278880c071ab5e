import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { clock } from "#platform/clock.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest, refused } from "./envelope.ts";

/** A body that is too long is read to its end and discarded if it has at most this size; otherwise it is canceled. */
const DISCARDED_BYTES_MAX = 1024 * 1024;

/**
 * Reads the body before the key is checked: otherwise a client that sends slowly could act with a key revoked in
 * between. The validator uses the same bytes. A body that is too long is refused before parsing with 400; 413 is for
 * uploads (API §4.4). An incomplete body is 400 BODY_INCOMPLETE.
 */
export const readJsonBody = createMiddleware<AppEnv>(async (c, next) => {
  const limits = { bytesMax: LIMITS.jsonBodyBytesMax, discardedBytesMax: DISCARDED_BYTES_MAX };
  if ((await readLimitedText(c, limits)) === null) {
    throw refused("INVALID_REQUEST", `The body is larger than ${LIMITS.jsonBodyBytesMax} bytes.`, {
      maxBytes: LIMITS.jsonBodyBytesMax,
    });
  }
  await next();
});

/** Whether a request has no body. Some clients send an empty one with Content-Length 0. */
const isBodyless = (request: Request): boolean =>
  request.body === null || request.headers.get("Content-Length") === "0";

/** Like `requireJsonType`, but accepts a request without a body. */
export const requireJsonTypeOfBody = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header("Content-Type") === undefined && isBodyless(c.req.raw)) await next();
  else await requireJsonType(c, next);
});

/** Refuses a body that is not declared as JSON; an undeclared type would skip validation. */
export const requireJsonType = createMiddleware<AppEnv>(async (c, next) => {
  const contentType = c.req.header("Content-Type");
  const isJson = /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(contentType ?? "");
  if (!isJson) {
    throw new RefusedRequest(
      contentType === undefined && isBodyless(c.req.raw)
        ? refuse("INVALID_REQUEST", "The request needs a JSON body.")
        : refuse("UNSUPPORTED_MEDIA_TYPE", "The body must be sent with Content-Type: application/json."),
    );
  }
  await next();
});

interface BodyLimits {
  readonly bytesMax: number;
  /** Up to this size, a body that is too long is read to its end before it is refused. */
  readonly discardedBytesMax: number;
  /**
   * Minimum average rate of the sender, for requests that hold a shared resource while the body arrives; 0 for any
   * rate.
   */
  readonly bytesPerSecondMin?: number;
}

/** Additional time for the sender, for the first byte and short stalls. */
const GRACE_MS = 2_000;

/**
 * The request's body as text; null if it is too long. The request still has its body afterwards. Throws 400
 * BODY_INCOMPLETE if the connection ends early or the sender is too slow.
 */
export async function readLimitedText(c: Context<AppEnv>, limits: BodyLimits): Promise<string | null> {
  try {
    return await readText(c, limits);
  } catch {
    // Only the connection or its sender can fail here.
    throw refused(
      "BODY_INCOMPLETE",
      "The connection ended before the body was complete, or the body came too slowly.",
    );
  }
}

/** The body of a provider's event, byte for byte as signed. Throws 413 PAYLOAD_TOO_LARGE. */
export async function readSignedText(c: Context<AppEnv>, bytesMax: number): Promise<string> {
  const body = await readLimitedText(c, { bytesMax, discardedBytesMax: bytesMax });
  if (body !== null) return body;
  throw refused("PAYLOAD_TOO_LARGE", `The body is larger than ${bytesMax} bytes.`, { maxBytes: bytesMax });
}

async function readText(c: Context<AppEnv>, limits: BodyLimits): Promise<string | null> {
  const { bytesMax, discardedBytesMax, bytesPerSecondMin = 0 } = limits;
  const { body, headers } = c.req.raw;
  if (body === null) return "";
  const declared = headers.has("Transfer-Encoding") ? null : headers.get("Content-Length");
  if (declared !== null && Number(declared) > bytesMax) {
    await discardBody(body, discardedBytesMax);
    return null;
  }
  if (declared !== null && bytesPerSecondMin === 0) return c.req.text();
  const bytes = await readUpTo(body, limits);
  if (bytes === null) return null;
  c.req.raw = new Request(c.req.raw, { body: bytes });
  return c.req.text();
}

/** Reads a body of unknown length. Returns null if it exceeds `bytesMax`, after discarding the rest (`discardBody`). */
async function readUpTo(
  body: ReadableStream<Uint8Array>,
  { bytesMax, discardedBytesMax, bytesPerSecondMin = 0 }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer> | null> {
  // One growing buffer: a sender of single bytes would fill the memory with chunks.
  let kept = new Uint8Array(0);
  let byteLength = 0;
  const reader = body.getReader();
  const startedAtMs = clock.now();
  for (;;) {
    const dueMs = GRACE_MS + (byteLength / bytesPerSecondMin) * 1_000 - (clock.now() - startedAtMs);
    const read = reader.read();
    const next = bytesPerSecondMin === 0 ? await read : await Promise.race([read, clock.wait(dueMs)]);
    if (next === undefined) {
      await reader.cancel();
      throw new Error("the sender of a body is too slow");
    }
    const { value, done } = next;
    if (done) return kept.subarray(0, byteLength);
    const end = byteLength + value.byteLength;
    if (end > bytesMax) {
      reader.releaseLock();
      await discardBody(body, discardedBytesMax - end);
      return null;
    }
    if (end > kept.byteLength) {
      const grown = new Uint8Array(Math.min(bytesMax, Math.max(end, 2 * kept.byteLength)));
      grown.set(kept.subarray(0, byteLength));
      kept = grown;
    }
    kept.set(value, byteLength);
    byteLength = end;
  }
}

/**
 * Drains a refused body so that the client sees our error instead of a reset (RFC 9112 §9.6). Buffers one chunk at a
 * time and cancels after `bytesMax`. Skips a locked body. Throws if the connection ends.
 */
async function discardBody(body: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  let bytes = 0;
  while (bytes < bytesMax) {
    const next = await reader.read();
    if (next.done) return;
    bytes += next.value.byteLength;
  }
  await reader.cancel();
}
