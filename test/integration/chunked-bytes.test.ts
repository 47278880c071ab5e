import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { receiveBytes } from "#domains/assets/receive-bytes.ts";
import { asStream, sha256HexOfChunks } from "#platform/bytes/chunked-bytes.ts";
import { readAll } from "#platform/bytes/read-all.ts";
import { clock } from "#platform/clock.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { freeBytes } from "#renderer/buffers.ts";
import { crc32 } from "#renderer/crc32.ts";
import type { ChunkedBytes } from "#renderer/index.ts";
import { mediaFile } from "../support/asset-files.ts";
import { createIntent } from "../support/assets.ts";
import { createWorkspace } from "../support/workspace.ts";

const CHUNKS = 40;
const CHUNK_BYTES = 50_000;

/** Reuses one buffer for all chunks, like the writers of large images. */
const bytes: ChunkedBytes = {
  byteLength: CHUNKS * CHUNK_BYTES,
  *chunks() {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let number = 0; number < CHUNKS; number += 1) yield chunk.fill(number);
  },
};
const whole = Uint8Array.from({ length: bytes.byteLength }, (_, at) => Math.floor(at / CHUNK_BYTES));

it("chunked bytes arrive completely and in order, with their SHA-256", async () => {
  let arrived = new Uint8Array(0);
  await asStream(bytes, async (stream) => {
    arrived = await readAll(stream, bytes.byteLength);
  });
  expect(await sha256Hex(arrived)).toBe(await sha256Hex(whole));
  expect(await sha256HexOfChunks(bytes)).toBe(await sha256Hex(whole));
});

it("a chunked transfer fails if its reader fails or stops without reading", async () => {
  await expect(asStream(bytes, () => Promise.reject(new Error("full")))).rejects.toThrow("full");
  await expect(asStream(bytes, async () => undefined)).rejects.toThrow();
});

it("the bytes of a body that ends early are returned", async () => {
  expect(await readAll(new Blob([whole.subarray(0, 1_000)]).stream(), 2_000)).toEqual(whole.slice(0, 1_000));
});

it("the bytes of a large body can be freed at once, and are readable until then", async () => {
  const size = 9 * 1_048_576;
  const pattern = Uint8Array.from({ length: size }, (_, at) => at % 251);
  const body = new Response(pattern).body;
  if (body === null) throw new Error("a response has a body");
  const read = await readAll(body, size);
  expect(await sha256Hex(read)).toBe(await sha256Hex(pattern));
  expect(crc32(read)).toBe(crc32(pattern));
  const { buffer } = read;
  expect(buffer.resizable).toBe(true);
  freeBytes(read);
  expect([buffer.byteLength, read.byteLength]).toEqual([0, 0]);
});

/** A stream of these bytes. It records the size of each buffer that a reader offers, or 0 if the reader offers none. */
function readInto(file: Uint8Array) {
  const roomsGiven: number[] = [];
  let at = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const request = controller.byobRequest;
      const { view = null } = request ?? {};
      roomsGiven.push(view?.byteLength ?? 0);
      const end = Math.min(file.byteLength, at + (view?.byteLength ?? CHUNK_BYTES));
      const part = file.slice(at, end);
      at = end;
      if (part.byteLength === 0) {
        controller.close();
        request?.respond(0);
      } else if (view === null) {
        controller.enqueue(part);
      } else {
        new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(part);
        request?.respond(part.byteLength);
      }
    },
  });
  return { body, roomsGiven };
}

it("the bytes of an upload pass through one buffer of at most a quarter of a megabyte", async () => {
  const { secret, workspaceId, apiKeyId } = await createWorkspace({});
  const file = { ...mediaFile, bytes: whole };
  const { uploadId, assetId } = await createIntent(secret, file);
  const { body, roomsGiven } = readInto(whole);
  const incoming = { workspaceId, apiKeyId, uploadId, contentType: file.mimeType, contentLength: null, body };
  expect(await receiveBytes(env.DB, env.BUCKET, incoming, clock.now())).toMatchObject({ ok: true });
  expect(roomsGiven.length).toBeGreaterThan(1);
  expect(Math.min(...roomsGiven)).toBeGreaterThan(0);
  expect(Math.max(...roomsGiven)).toBeLessThanOrEqual(262_144);
  const [stored] = (await env.BUCKET.list({ prefix: `workspaces/${workspaceId}/assets/${assetId}/` }))
    .objects;
  const object = await env.BUCKET.get(stored?.key ?? "");
  expect(await sha256Hex(new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(
    await sha256Hex(whole),
  );
});
