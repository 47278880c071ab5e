/**
 * Writes src/renderer/type/outline-pen.wasm. Run: npx node scripts/make/outline-pen.ts
 *
 * HarfBuzz calls outline functions through its own table, which accepts only functions with a WebAssembly type. Workers
 * cannot compile modules at run time, so this module is compiled ahead: it imports five functions and re-exports them,
 * which gives each its type.
 */
import { writeFileSync } from "node:fs";
import binaryen from "binaryen";

/**
 * Number of coordinates of each function in hb-draw.h. They follow `funcs`, `data` and `state`, and precede
 * `user_data`.
 */
const COORDINATES = { move: 2, line: 2, quad: 4, cubic: 6, close: 0 };

const functions = Object.entries(COORDINATES).map(
  ([verb, count]) =>
    `(import "pen" "${verb}" (func $${verb} (param i32 i32 i32${" f32".repeat(count)} i32))) (export "${verb}" (func $${verb}))`,
);
const path = new URL("../../src/renderer/type/outline-pen.wasm", import.meta.url);
writeFileSync(path, binaryen.parseText(`(module ${functions.join("\n")})`).emitBinary());
