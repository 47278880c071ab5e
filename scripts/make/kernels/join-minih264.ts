import { readFileSync } from "node:fs";
import binaryen from "binaryen";

/** A module of h264-mp4-encoder that contains minih264, an MP4 writer, streams and files. Only minih264 is kept. */
const SOURCE = "node_modules/h264-mp4-encoder/embuild/dist/h264-mp4-encoder.node.js";

/** Exported functions of minih264's interface, as named by the pinned binaryen. */
const EXPORTS = { sizes: "$49", begin: "$35", encode: "$38" } as const;
/** minih264's tables are between these addresses. */
const [TABLES_FROM, TABLES_TO] = [3_729, 17_529] as const;
/** The stack grows down from here; the caller uses memory above. */
const HEAP_FROM = 65_536;

/** Replacements of imported functions: a failed assertion traps, and long copies use `memory.copy`. */
const OWN = `
 (table $timport$0 1 funcref)
 (global $global$0 (mut i32) (i32.const ${HEAP_FROM}))
 (func $fimport$9 (param i32 i32 i32 i32) (unreachable))
 (func $fimport$65 (param i32 i32 i32) (result i32)
  (memory.copy (local.get 0) (local.get 1) (local.get 2))
  (local.get 0))
 (export "memory" (memory $mimport$0))`;
const REPLACED = [
  /^ \(export .*\n/gm,
  /^ \(elem [\s\S]*?\)\n(?= \()/m,
  /^ \(import "env" "(table|__assert_fail|emscripten_memcpy_big)".*\n/gm,
  /^ \(global \$global\$0 .*\n/m,
];

/** minih264 alone, merged with the functions of the compiled kernel `h264`. */
export function joinMinih264(kernel: Uint8Array): Uint8Array {
  const [encoded] = /AGFzbQ[A-Za-z0-9+/=]+/.exec(readFileSync(SOURCE, "latin1")) ?? [];
  if (encoded === undefined) throw new Error(`There is no module in ${SOURCE}.`);
  let text = binaryen.readBinary(Buffer.from(encoded, "base64")).emitText();
  for (const pattern of REPLACED) text = text.replace(pattern, "");
  text = text.replace(/(?<=^ \(import "env" "memory" ).*$/m, "(memory $mimport$0 2))");
  text = text.replace(/^ \(data \$\d+ \(i32\.const (\d+)\).*\n/gm, (data, at: string) =>
    Number(at) >= TABLES_FROM && Number(at) < TABLES_TO ? data : "",
  );
  const exported = Object.entries(EXPORTS).map(([name, number]) => `(export "${name}" (func ${number}))`);
  text = text.replace(/\)\s*$/, () => [OWN, ...exported, functionsOf(kernel), ")"].join("\n"));
  const module = binaryen.parseText(text);
  module.setFeatures(binaryen.Features.All);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(1);
  module.runPasses(["remove-unused-module-elements"]);
  module.optimize();
  if (module.validate() === 0) throw new Error(`${SOURCE} is another one than this was made for.`);
  return module.emitBinary();
}

/** Text of the functions that a compiled kernel exports, each with its export. */
function functionsOf(kernel: Uint8Array): string {
  const text = binaryen.readBinary(kernel).emitText();
  return [...text.matchAll(/\(export "(\w+)" \(func (\$\d+)\)\)/g)]
    .map(([, name, number]) => {
      const from = text.indexOf(`(func ${number} `);
      const body = text.slice(from, text.indexOf("\n )", from) + 3);
      return body.replace(`(func ${number} `, () => `(func $${name} (export "${name}") `);
    })
    .join("\n");
}
