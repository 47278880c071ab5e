/**
 * Writes src/renderer/type/outline-pen.wasm. Run: npx node scripts/make/outline-pen.ts
 *
 * HarfBuzz hands over outlines through functions in its own table, and a table takes only functions that
 * have a WebAssembly type. Workers may not compile modules at run time, so this one is compiled beforehand:
 * it imports five functions and exports them again, which gives each its type and does nothing else.
 */
import { writeFileSync } from "node:fs";
import binaryen from "binaryen";

/** hb-draw.h: how many coordinates each takes behind funcs, data and state and before user data. */
const COORDINATES = { move: 2, line: 2, quad: 4, cubic: 6, close: 0 };

const functions = Object.entries(COORDINATES).map(
  ([verb, count]) =>
    `(import "pen" "${verb}" (func $${verb} (param i32 i32 i32${" f32".repeat(count)} i32))) (export "${verb}" (func $${verb}))`,
);
const path = new URL("../../src/renderer/type/outline-pen.wasm", import.meta.url);
writeFileSync(path, binaryen.parseText(`(module ${functions.join("\n")})`).emitBinary());
