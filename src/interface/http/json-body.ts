import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { clock } from "#platform/clock.ts";
import type { AppEnv } from "./context.ts";
import { RefusedRequest, refused } from "./envelope.ts";

/** What a body that is too long by mistake stays below; longer ones are broken off. */
const DISCARDED_BYTES_MAX = 1024 * 1024;

/**
 * Reads the body before the key is checked: otherwise a sender who takes minutes over a few bytes could act with a key
 * that was revoked in between. The validator uses the same bytes. One that is too long is refused before any of it is
 * parsed; 413 is for uploads (API §4.4). A body that breaks off is 400 BODY_INCOMPLETE.
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

/** Clients send an empty body as none, or with a length of zero. */
const isBodyless = (request: Request): boolean =>
  request.body === null || request.headers.get("Content-Length") === "0";

/** As `requireJsonType`, where a request without a body is as good as one with an empty object. */
export const requireJsonTypeOfBody = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header("Content-Type") === undefined && isBodyless(c.req.raw)) await next();
  else await requireJsonType(c, next);
});

/** Refuses a body that is not declared as JSON; without this an undeclared type would skip validation. */
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
  /** What a body that is too long by mistake stays below: so much of one is read before it is refused. */
  readonly discardedBytesMax: number;
  /** The least rate of the sender, for a body that others wait for; 0 for any. */
  readonly bytesPerSecondMin?: number;
}

/** Time to the first byte, and for a line that stalls. */
const GRACE_MS = 2_000;

/**
 * The body of a request as text; null for one that is too long, of which nothing is kept. Whoever reads the request after
 * this finds the same body. 400 BODY_INCOMPLETE when the connection ends before the body does, or its sender is too slow.
 */
export async function readLimitedText(c: Context<AppEnv>, limits: BodyLimits): Promise<string | null> {
  try {
    return await readText(c, limits);
  } catch {
    // Only the connection and its sender can fail here.
    throw refused(
      "BODY_INCOMPLETE",
      "The connection ended before the body was whole, or the body came too slowly.",
    );
  }
}

/** The body of an event of a provider as it was signed, byte for byte. 413 PAYLOAD_TOO_LARGE. */
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

/** A body of unknown length; null for one that is longer than `bytesMax`, which is read on as `discardBody` does. */
async function readUpTo(
  body: ReadableStream<Uint8Array>,
  { bytesMax, discardedBytesMax, bytesPerSecondMin = 0 }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer> | null> {
  // One buffer that grows: a sender of single bytes would fill the memory with chunks.
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
 * Reads a body that is refused, and keeps nothing of it: without this a sender who sends all before he listens hears that
 * the connection broke, and not why (RFC 9112 §9.6). Holds one chunk at a time, and breaks off after `bytesMax`. Does
 * nothing where someone else reads it. Throws when the connection ends.
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
