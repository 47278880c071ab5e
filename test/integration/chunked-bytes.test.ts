import { expect, it } from "vitest";
import { asStream, sha256HexOfChunks } from "../../src/platform/chunked-bytes.ts";
import { sha256Hex } from "../../src/platform/hashing.ts";
import { readAll } from "../../src/platform/read-all.ts";
import type { ChunkedBytes } from "../../src/renderer/index.ts";

/** Bytes too large to hold twice go to a store, and come from it, a chunk at a time; what arrives is what was sent. */

const CHUNKS = 40;
const CHUNK_BYTES = 50_000;

/** One buffer for all chunks, as writers of large pictures use it. */
const bytes: ChunkedBytes = {
  byteLength: CHUNKS * CHUNK_BYTES,
  *chunks() {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let number = 0; number < CHUNKS; number += 1) yield chunk.fill(number);
  },
};
const whole = Uint8Array.from({ length: bytes.byteLength }, (_, at) => Math.floor(at / CHUNK_BYTES));

it("they arrive whole and in order, and hash as the whole does", async () => {
  let arrived = new Uint8Array(0);
  await asStream(bytes, async (stream) => {
    arrived = await readAll(stream, bytes.byteLength);
  });
  expect(await sha256Hex(arrived)).toBe(await sha256Hex(whole));
  expect(await sha256HexOfChunks(bytes)).toBe(await sha256Hex(whole));
});

it("a reader that fails, or reads nothing, rejects", async () => {
  await expect(asStream(bytes, () => Promise.reject(new Error("full")))).rejects.toThrow("full");
  await expect(asStream(bytes, async () => undefined)).rejects.toThrow();
});

it("a body that ends early gives what there was", async () => {
  expect(await readAll(new Blob([whole.subarray(0, 1_000)]).stream(), 2_000)).toEqual(whole.slice(0, 1_000));
});
