import { joined, u8 } from "../binary.ts";
import type { Code } from "./scan-codes.ts";

/** Seven symbols take one to seven bits, sixteen more take twelve, and all others sixteen: every way to look one up. */
const LENGTHS = [1, 2, 3, 4, 5, 6, 7, ...new Array<number>(16).fill(12), ...new Array<number>(233).fill(16)];

export interface HuffmanCodes {
  /** BITS and HUFFVAL of a DHT segment (ITU-T T.81, B.2.4.2). */
  readonly definition: Uint8Array;
  readonly bitsOf: ReadonlyMap<number, string>;
}

/** Codes for the symbols of a table, short ones for those that are frequent. */
export function huffmanCodes(codes: readonly Code[], table: "dc" | "ac"): HuffmanCodes {
  const counts = new Map<number, number>();
  for (const code of codes) {
    if (code !== "RST" && code.table === table) counts.set(code.symbol, (counts.get(code.symbol) ?? 0) + 1);
  }
  const symbols = [...counts].sort((one, other) => other[1] - one[1]).map(([symbol]) => symbol);
  const lengths = new Array<number>(16).fill(0);
  const bitsOf = new Map<number, string>();
  let next = 0;
  let lengthBefore = 0;
  for (const [k, symbol] of symbols.entries()) {
    const length = LENGTHS[k] ?? 16;
    next = k === 0 ? 0 : (next + 1) * 2 ** (length - lengthBefore);
    lengthBefore = length;
    lengths[length - 1] = (lengths[length - 1] ?? 0) + 1;
    bitsOf.set(symbol, next.toString(2).padStart(length, "0"));
  }
  return { definition: joined(u8(...lengths), u8(...symbols)), bitsOf };
}

/** Entropy-coded data: padded with one bits, stuffed with zero bytes, RSTm numbered (T.81, F.1.2.3 and E.1.4). */
export function codedBytes(codes: readonly Code[], dc: HuffmanCodes, ac: HuffmanCodes): Uint8Array {
  const bytes: number[] = [];
  let bits = "";
  let restarts = 0;
  const put = (all: boolean): void => {
    if (all && bits.length % 8 > 0) bits += "1".repeat(8 - (bits.length % 8));
    let at = 0;
    for (; at + 8 <= bits.length; at += 8) {
      const byte = Number.parseInt(bits.slice(at, at + 8), 2);
      bytes.push(byte);
      if (byte === 0xff) bytes.push(0);
    }
    bits = bits.slice(at);
  };
  for (const code of codes) {
    if (code === "RST") {
      put(true);
      bytes.push(0xff, 0xd0 + (restarts % 8));
      restarts += 1;
      continue;
    }
    if (code.table !== null) bits += (code.table === "dc" ? dc : ac).bitsOf.get(code.symbol) ?? "";
    bits += code.bits;
    put(false);
  }
  put(true);
  return Uint8Array.from(bytes);
}
