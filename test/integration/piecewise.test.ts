import { expect, it } from "vitest";
import { sha256Hex } from "../../src/platform/hashing.ts";
import { sha256HexOf, streamed } from "../../src/platform/piecewise.ts";
import { readWhole } from "../../src/platform/whole-body.ts";
import type { PiecewiseBytes } from "../../src/renderer/index.ts";

/** Bytes too large to hold twice go to a store, and come from it, a piece at a time; what arrives is what was sent. */

const PIECES = 40;
const PIECE_BYTES = 50_000;

/** One buffer for all pieces, as writers of large pictures use it. */
const bytes: PiecewiseBytes = {
  byteLength: PIECES * PIECE_BYTES,
  *pieces() {
    const piece = new Uint8Array(PIECE_BYTES);
    for (let number = 0; number < PIECES; number += 1) yield piece.fill(number);
  },
};
const whole = Uint8Array.from({ length: bytes.byteLength }, (_, at) => Math.floor(at / PIECE_BYTES));

it("they arrive whole and in order, and hash as the whole does", async () => {
  let arrived = new Uint8Array(0);
  await streamed(bytes, async (stream) => {
    arrived = await readWhole(stream, bytes.byteLength);
  });
  expect(await sha256Hex(arrived)).toBe(await sha256Hex(whole));
  expect(await sha256HexOf(bytes)).toBe(await sha256Hex(whole));
});

it("who takes them and fails is heard, and who takes none of them is no success", async () => {
  await expect(streamed(bytes, () => Promise.reject(new Error("full")))).rejects.toThrow("full");
  await expect(streamed(bytes, async () => undefined)).rejects.toThrow();
});

it("a body that ends early gives what there was", async () => {
  expect(await readWhole(new Blob([whole.subarray(0, 1_000)]).stream(), 2_000)).toEqual(
    whole.slice(0, 1_000),
  );
});
