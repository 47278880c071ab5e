import { readFileSync } from "node:fs";
import binaryen from "binaryen";

/** mozjpeg as compiled in @jsquash/jpeg. */
const SOURCE = "node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm";

/**
 * Replacements in mozjpeg, as printed by the pinned binaryen: the function, the part of it to replace, and the call to
 * insert, with the locals that the call uses.
 */
const TRELLIS = "(func $166 ";
const GRAFTS = [
  {
    host: TRELLIS,
    part: "(loop $label4",
    call: `(call $chooseBefore (local.get $4) (local.get $29) (local.get $22) (local.get $49) (local.get $81)
      (local.get $56) (local.get $25) (i32.add (i32.load (local.get $48)) (local.get $34)))`,
  },
  {
    host: TRELLIS,
    part: "(loop $label10",
    call: `(call $chooseLevels (local.get $4) (i32.add (local.get $7) (local.get $17)) (local.get $23) (local.get $39)
      (local.get $44) (local.get $82) (local.get $14) (local.get $21))`,
  },
  {
    host: "(func $170 ",
    part: "(block $block3",
    call: "(call $countSymbols (local.get $15) (local.get $6))",
  },
] as const;
/**
 * Size of the trellis function's stack frame: the original, and the enlarged one, in which a grafted function stores
 * values.
 */
const [FRAME, LARGER_FRAME] = ["(i32.const 3936)", "(i32.const 4192)"] as const;

/** mozjpeg imports its memory instead of defining it, so that another codec can use that memory first. */
const OWN_MEMORY = / \(memory \$0 259 32768\)\n/;
const GIVEN_MEMORY = ' (import "a" "memory" (memory $0 259))';

/** Replaces mozjpeg's loops with the functions of the compiled kernel `mozjpeg`. */
export function graftMozjpeg(kernel: Uint8Array): Uint8Array {
  let text = binaryen.readBinary(readFileSync(SOURCE)).emitText();
  const ours = binaryen.readBinary(kernel).emitText();
  for (const [, name, number] of ours.matchAll(/\(export "(\w+)" \(func (\$\d+)\)\)/g)) {
    const added = parenthesised(ours, `(func ${number} `).replace(`(func ${number} `, `(func $${name} `);
    text = text.replace(/\)\s*$/, () => `${added})`);
  }
  text = text.replace(OWN_MEMORY, "").replace(/^ \(import/m, () => `${GIVEN_MEMORY}\n (import`);
  for (const { host, part, call } of GRAFTS) {
    const before = parenthesised(text, host);
    const after = before.replace(parenthesised(before, part), () => call);
    text = text.replace(before, () => (host === TRELLIS ? after.replaceAll(FRAME, LARGER_FRAME) : after));
  }
  const module = binaryen.parseText(text);
  module.setFeatures(binaryen.Features.All);
  if (module.validate() === 0) throw new Error(`The graft does not fit ${SOURCE}.`);
  return module.emitBinary();
}

/** The expression that begins with a text. Throws if there is none. */
function parenthesised(text: string, beginning: string): string {
  const from = text.indexOf(beginning);
  let depth = 0;
  for (let at = from; at >= 0 && at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  throw new Error(`${SOURCE} is another one than the graft was made for.`);
}
