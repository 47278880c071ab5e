import { readFileSync } from "node:fs";
import binaryen from "binaryen";

/** mozjpeg as @jsquash/jpeg compiles it. */
const SOURCE = "node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm";
/** Its `compress_trellis_pass`, and in that the loop over a block's coefficients, as the pinned binaryen prints them. */
const [TRELLIS, LOOP] = ["(func $166 ", "(loop $label10"] as const;
/** Bytes of its frame, and with what the grafted function keeps there. */
const [FRAME, LARGER_FRAME] = ["(i32.const 3936)", "(i32.const 4192)"] as const;
/** What it has in its locals: frame, levels, source, steps, code lengths, lambda, first and last position. */
const CALL = `(call $chooseLevels (local.get $4) (i32.add (local.get $7) (local.get $17)) (local.get $23) (local.get $39)
  (local.get $44) (local.get $82) (local.get $14) (local.get $21))`;
/** Its `encode_mcu_gather`. */
const STATISTICS = "(func $170 ";
/** A loop that counts a number's bits, one at a time: `do { count += 1; more = n > 1; n >>= 1 } while (more)`; from two bits on, `n > 3`. */
const BIT_COUNT =
  /\(loop (\$\w+) \(local\.set (\$\d+) \(i32\.add \(local\.(?:get \2|tee (\$\d+) \(local\.get \2\))\) \(i32\.const 1\)\)\) \(local\.set (\$\d+) \(i32\.gt_u \(local\.get (\$\d+)\) \(i32\.const ([13])\)\)\) \(local\.set \5 \(i32\.shr_u \(local\.get \5\) \(i32\.const 1\)\)\) \(br_if \1 \(local\.get \4\)\)\)/g;

/** Puts the one function of the compiled kernel `mozjpeg` in the place of mozjpeg's loop, and counts bits by `i32.clz`. */
export function graftMozjpeg(kernel: Uint8Array): Uint8Array {
  const ours = binaryen.readBinary(kernel).emitText();
  const grafted = parenthesised(ours, "(func $0 ").replace("(func $0 ", "(func $chooseLevels ");
  const text = binaryen.readBinary(readFileSync(SOURCE)).emitText();
  const trellis = parenthesised(text, TRELLIS);
  const loop = parenthesised(trellis, LOOP);
  const calling = trellis.replace(loop, () => CALL).replaceAll(FRAME, LARGER_FRAME);
  const statistics = parenthesised(text, STATISTICS);
  const module = binaryen.parseText(
    text
      .replace(trellis, () => `${withBitsCounted(calling)}\n${grafted}`)
      .replace(statistics, () => withBitsCounted(statistics)),
  );
  module.setFeatures(binaryen.Features.All);
  if (module.validate() === 0) throw new Error(`The graft does not fit ${SOURCE}.`);
  return module.emitBinary();
}

const withBitsCounted = (host: string): string =>
  host
    .replace(/\s+/g, " ")
    .replaceAll(" )", ")")
    .replace(BIT_COUNT, (_loop, _label, count, before, _more, number, limit) => {
      const bits = `(i32.sub (i32.const ${limit === "1" ? 32 : 31}) (i32.clz (local.get ${number})))`;
      const counted = `(local.set ${count} (i32.add (local.get ${count}) ${bits}))`;
      return before === undefined
        ? counted
        : `${counted} (local.set ${before} (i32.sub (local.get ${count}) (i32.const 1)))`;
    });

/** The expression of a text that begins so. Throws where there is none. */
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
