import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { deflated } from "../../src/renderer/encode/deflater.ts";
import { loadCodecModules } from "../support/node-modules.ts";
import { seededRandom } from "../support/pictures.ts";

/** Guarantee: what the kernel deflates, zlib inflates to the same bytes; and it is about as small as zlib's own. */

const SEED = 20261121;
const { deflater } = await loadCodecModules();
const random = seededRandom(SEED);
const upTo = (most: number): number => Math.floor(random() * (most + 1));

const comesBack = (bytes: Uint8Array, codeBitsMax?: number): boolean =>
  inflateSync(deflated(deflater, bytes, codeBitsMax)).equals(bytes);

/** Bytes of which some repeat others, near and far. */
function repetitive(length: number, colours: number, repeats: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    if (at > 4 && random() < repeats) {
      const distance = 1 + upTo(Math.min(at, random() < 0.1 ? 40_000 : 200) - 1);
      const end = Math.min(length, at + 3 + upTo(random() < 0.1 ? 600 : 20));
      for (; at < end; at += 1) bytes[at] = bytes[at - distance] ?? 0;
    } else {
      bytes[at] = random() * random() * colours;
      at += 1;
    }
  }
  return bytes;
}

describe(`deflating (seed ${SEED})`, () => {
  it("any bytes of any length comes back", () => {
    for (let length = 0; length < 200; length += 1) {
      expect(comesBack(repetitive(length, 256, 0.2)), `${length} bytes`).toBe(true);
    }
    for (let count = 0; count < 300; count += 1) {
      const bytes = repetitive(upTo(random() < 0.05 ? 300_000 : 3_000), 1 + upTo(255), random() * 0.6);
      expect(comesBack(bytes), `case ${count}, ${bytes.length} bytes`).toBe(true);
    }
  });

  it("noise and a run of one byte come back", () => {
    expect(comesBack(Uint8Array.from({ length: 100_000 }, () => upTo(255)))).toBe(true);
    expect(comesBack(new Uint8Array(100_000).fill(7))).toBe(true);
  });

  it("what wants longer codes than it may have comes back", () => {
    for (const codeBitsMax of [9, 10, 11]) {
      for (let count = 0; count < 30; count += 1) {
        const bytes = repetitive(20_000 + upTo(20_000), 1 + upTo(255), random() * 0.6);
        expect(comesBack(bytes, codeBitsMax), `${codeBitsMax} bits, case ${count}`).toBe(true);
      }
    }
  });

  it("a drawing's numbers takes no more than a twentieth above zlib's bytes", () => {
    const numbers = Uint8Array.from({ length: 400 * 300 }, (_, at) => {
      const [x, y] = [at % 400, Math.floor(at / 400)];
      return 100 + 60 * Math.sin(x / 37) * Math.cos(y / 23) + upTo(6);
    });
    expect(deflated(deflater, numbers).length).toBeLessThan(deflateSync(numbers).length * 1.05);
  });

  it("the same bytes gives the same stream, and more than fits is refused", () => {
    const bytes = repetitive(50_000, 200, 0.3);
    expect(deflated(deflater, bytes)).toEqual(deflated(deflater, bytes));
    expect(() => deflated(deflater, new Uint8Array(8 * 1024 * 1024))).toThrow(RangeError);
  });
});
