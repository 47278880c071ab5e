/**
 * Writes src/renderer/type/outline-pen.wasm. Run: npx node scripts/make/outline-pen.ts
 *
 * HarfBuzz hands over outlines through functions in its own table, and a table takes only functions that
 * have a WebAssembly type. Workers may not compile modules at run time, so this one is compiled beforehand:
 * it imports five functions and exports them again, which gives each its type and does nothing else.
 */
import { writeFileSync } from "node:fs";
import { WASM_HEADER } from "./shaper/wasm-reader.ts";

const I32 = 0x7f;
const F32 = 0x7d;
const HEADER = [I32, I32, I32];

/** hb-draw.h: funcs, data, state, then the coordinates, then user data; nothing is returned. */
const PENS: readonly (readonly [name: string, coordinates: number])[] = [
  ["move", 2],
  ["line", 2],
  ["quad", 4],
  ["cubic", 6],
  ["close", 0],
];

const name = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)];
const vector = (items: readonly (readonly number[])[]): number[] => [items.length, ...items.flat()];
const section = (id: number, body: readonly number[]): number[] => {
  if (body.length > 127) throw new RangeError("A section's length must fit one LEB128 byte.");
  return [id, body.length, ...body];
};

const types = PENS.map(([, count]) => {
  const parameters = [...HEADER, ...Array<number>(count).fill(F32), I32];
  return [0x60, parameters.length, ...parameters, 0];
});
const imports = PENS.map(([verb], i) => [...name("pen"), ...name(verb), 0, i]);
const exports = PENS.map(([verb], i) => [...name(verb), 0, i]);

const bytes = [
  ...WASM_HEADER,
  ...section(1, vector(types)),
  ...section(2, vector(imports)),
  ...section(7, vector(exports)),
];
const path = new URL("../../src/renderer/type/outline-pen.wasm", import.meta.url);
writeFileSync(path, Uint8Array.from(bytes));
