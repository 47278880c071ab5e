import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import worker from "../../src/worker.ts";

/**
 * Guarantee: a sender of a body that is too long is told so, also one who sends all of it before he listens: what stands
 * between him and the service loses an answer that comes while a body is still being sent.
 */

const CHUNK_BYTES = 4096;

/** So many bytes, and how many of them were taken. */
function countedBody(byteLength: number) {
  const taken = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken.bytes >= byteLength) return controller.close();
        const bytes = Math.min(CHUNK_BYTES, byteLength - taken.bytes);
        taken.bytes += bytes;
        controller.enqueue(new Uint8Array(bytes).fill(0x20));
      },
    },
    { highWaterMark: 0 },
  );
  return { taken, body };
}

const MEBIBYTE = 1024 * 1024;

/** Sends so many bytes to a route, their length declared or not; what it answers, and how many bytes it took. */
async function sendTo(path: string, byteLength: number, isDeclared: boolean) {
  const { taken, body } = countedBody(byteLength);
  const headers = {
    "Content-Type": "application/json",
    ...(isDeclared && { "Content-Length": String(byteLength) }),
  };
  const context = createExecutionContext();
  const request = new Request(`https://packs.example${path}`, { method: "POST", headers, body });
  const response = await worker.fetch(request, env, context);
  const answer: { error: { code: string; details: object } } = await response.json();
  await waitOnExecutionContext(context);
  return { status: response.status, answer, takenBytes: taken.bytes };
}

describe.each([
  ["of a declared length", true],
  ["in chunks of no declared length", false],
])("a body %s", (_, isDeclared) => {
  it.each([
    ["a little too long, to its end", LIMITS.jsonBodyBytesMax + 6_000, LIMITS.jsonBodyBytesMax + 6_000],
    ["far too long, to a mebibyte", 4 * MEBIBYTE, MEBIBYTE],
  ])("is read before the refusal: %s", async (_, byteLength, takenBytes) => {
    const sent = await sendTo("/api/v1/jobs", byteLength, isDeclared);
    expect([sent.status, sent.answer.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(sent.answer.error.details).toMatchObject({ maxBytes: LIMITS.jsonBodyBytesMax });
    expect(sent.takenBytes).toBe(takenBytes);
  });

  it("as long as it may be is read to its end and parsed", async () => {
    const sent = await sendTo("/api/v1/jobs", LIMITS.jsonBodyBytesMax, isDeclared);
    expect([sent.status, sent.answer.error.code]).toEqual([401, "KEY_MISSING"]);
    expect(sent.takenBytes).toBe(LIMITS.jsonBodyBytesMax);
  });
});
