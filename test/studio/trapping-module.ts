/** A valid WebAssembly module in which every function traps: a broken engine. */

const CODE_SECTION = 10;
const START_SECTION = 8;
/** No locals, `unreachable`, `end`. */
const TRAPPING_BODY = [3, 0, 0x00, 0x0b];

/** The same module with every function's body replaced by a trap. (WebAssembly Core 2.0, chapter 5.5) */
export function trappingModule(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept: number[] = [...bytes.subarray(0, 8)];
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const start = at;
    const id = bytes[at];
    at += 1;
    const length = number();
    const content = at;
    if (id === CODE_SECTION) {
      const functions = number();
      const bodies = Array.from({ length: functions }, () => TRAPPING_BODY).flat();
      const code = [...leb128(functions), ...bodies];
      kept.push(CODE_SECTION, ...leb128(code.length), ...code);
    } else if (id !== START_SECTION) {
      for (let i = start; i < content + length; i += 1) kept.push(bytes[i] ?? 0);
    }
    at = content + length;
  }
  return Uint8Array.from(kept);
}

function leb128(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb128(value >>> 7)];
}
