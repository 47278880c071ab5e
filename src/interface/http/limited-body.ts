import type { Context } from "hono";
import { refuse } from "#api/errors.ts";
import { clock } from "#platform/clock.ts";
import type { AppEnv } from "./context.ts";
import { discardBody } from "./discard-body.ts";
import { RefusedRequest } from "./envelope.ts";

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
    throw new RefusedRequest(
      refuse(
        "BODY_INCOMPLETE",
        "The connection ended before the body was whole, or the body came too slowly.",
      ),
    );
  }
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
