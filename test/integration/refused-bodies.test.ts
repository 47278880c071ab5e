import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import worker from "../../src/worker.ts";

/**
 * A client gets the refusal of a too long body even if it reads only after sending everything. So the body is read
 * before the refusal, because proxies lose a response that arrives while a body is being sent.
 */

const CHUNK_BYTES = 4096;

/** A request body of a given length. Counts the bytes that were read. */
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

/** Sends a body to a route, with or without a declared length. Returns the response and the number of bytes read. */
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
  ["with a declared length", true],
  ["in chunks without a declared length", false],
])("a body %s", (_, isDeclared) => {
  it.each([
    [
      "to its end if it is a little too long",
      LIMITS.jsonBodyBytesMax + 6_000,
      LIMITS.jsonBodyBytesMax + 6_000,
    ],
    ["up to a mebibyte if it is far too long", 4 * MEBIBYTE, MEBIBYTE],
  ])("is read before the refusal %s", async (_, byteLength, takenBytes) => {
    const sent = await sendTo("/api/v1/jobs", byteLength, isDeclared);
    expect([sent.status, sent.answer.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(sent.answer.error.details).toMatchObject({ maxBytes: LIMITS.jsonBodyBytesMax });
    expect(sent.takenBytes).toBe(takenBytes);
  });

  it("of the maximum length is read and parsed", async () => {
    const sent = await sendTo("/api/v1/jobs", LIMITS.jsonBodyBytesMax, isDeclared);
    expect([sent.status, sent.answer.error.code]).toEqual([401, "KEY_MISSING"]);
    expect(sent.takenBytes).toBe(LIMITS.jsonBodyBytesMax);
  });
});
