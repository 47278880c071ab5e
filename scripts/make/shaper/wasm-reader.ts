/** Walks the instructions of a WebAssembly module's code (WebAssembly 2.0, chapter 5, without vectors and threads). */

const IMMEDIATES = {
  none: [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1],
  block: [0x02, 0x03, 0x04],
  /** One number in LEB128. */
  one: [0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2],
  two: [0x11],
} as const;
const MEMORY = { first: 0x28, last: 0x3e } as const;
const NUMERIC = { first: 0x45, last: 0xc4 } as const;
const BRANCH_TABLE = 0x0e;
const TYPED_SELECT = 0x1c;
const F32_CONST = 0x43;
const F64_CONST = 0x44;
const PREFIX = 0xfc;
/** Immediates of prefixed instructions by number: 0 to 7 truncate, 8 to 17 are for memories and tables. */
const PREFIXED = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1] as const;

/** Reads a module's bytes from a position that advances. */
export class WasmReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const value = this.#bytes[this.at];
    if (value === undefined) throw new RangeError("the module ends too early");
    this.at += 1;
    return value;
  }

  /** An unsigned LEB128 number of at most 32 bits. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  /** Reads one instruction with its immediates and returns its opcode (0xfc00 + n for a prefixed one). */
  instruction(): number {
    const opcode = this.byte();
    if (opcode === PREFIX) {
      const which = this.number();
      const count = PREFIXED[which];
      if (count === undefined) throw new Error(`instruction fc ${which} is not known`);
      for (let i = 0; i < count; i += 1) this.number();
      return 0xfc00 + which;
    }
    if (isAmong(IMMEDIATES.none, opcode)) return opcode;
    if (opcode >= NUMERIC.first && opcode <= NUMERIC.last) return opcode;
    if (isAmong(IMMEDIATES.one, opcode) || isAmong(IMMEDIATES.block, opcode)) this.number();
    else if (isAmong(IMMEDIATES.two, opcode) || (opcode >= MEMORY.first && opcode <= MEMORY.last)) {
      this.number();
      this.number();
    } else if (opcode === BRANCH_TABLE) {
      for (let left = this.number() + 1; left > 0; left -= 1) this.number();
    } else if (opcode === TYPED_SELECT) this.skip(this.number());
    else if (opcode === F32_CONST) this.skip(4);
    else if (opcode === F64_CONST) this.skip(8);
    else throw new Error(`instruction ${opcode.toString(16)} is not known`);
    return opcode;
  }
}

const isAmong = (opcodes: readonly number[], opcode: number): boolean => opcodes.includes(opcode);
