import { WasmReader } from "./wasm-reader.ts";

/**
 * Adds a budget of work to a module. Every function and every loop iteration subtracts its number of instructions
 * (outside of inner loops) from an exported global; the module traps when it falls below zero. This bounds the cost of
 * a call for any input, equally on every machine. `memory.copy` and `memory.fill` cost an eighth of their length.
 */
export function metered(module: Uint8Array, exportName: string): Uint8Array {
  const sections = sectionsOf(module);
  const globals = bodyOf(sections, SECTION.global);
  const fuel = new WasmReader(globals).number() + importedGlobals(bodyOf(sections, SECTION.imports));
  const length = fuel + 1;
  const rewritten = new Map<number, number[]>([
    [SECTION.global, withMore(globals, [NEW_GLOBAL, NEW_GLOBAL])],
    [
      SECTION.exports,
      withMore(bodyOf(sections, SECTION.exports), [
        [exportName.length, ...new TextEncoder().encode(exportName), GLOBAL_EXPORT, ...unsigned(fuel)],
      ]),
    ],
    [SECTION.code, meteredCode(bodyOf(sections, SECTION.code), { fuel, length })],
  ]);
  const bytes: number[] = [...module.subarray(0, PREAMBLE_BYTES)];
  for (const { id, body } of sections) {
    // The name section and other custom sections contain positions that have moved.
    if (id === SECTION.custom) continue;
    const content = rewritten.get(id) ?? body;
    bytes.push(id, ...unsigned(content.length));
    for (const byte of content) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

const PREAMBLE_BYTES = 8;
const SECTION = { custom: 0, imports: 2, global: 6, exports: 7, code: 10 } as const;
const I32 = 0x7f;
const MUTABLE = 1;
const GLOBAL_EXPORT = 3;
const GLOBAL_IMPORT = 3;
const FUNCTION_IMPORT = 0;
const VOID = 0x40;
const [UNREACHABLE, BLOCK, LOOP, IF, END] = [0x00, 0x02, 0x03, 0x04, 0x0b];
const [GLOBAL_GET, GLOBAL_SET, I32_CONST, I32_LT_S, I32_SUB, I32_SHR_U] = [
  0x23, 0x24, 0x41, 0x48, 0x6b, 0x76,
];
const [MEMORY_COPY, MEMORY_FILL] = [0xfc0a, 0xfc0b];
const BYTES_PER_INSTRUCTION_LOG2 = 3;
const NEW_GLOBAL = [I32, MUTABLE, I32_CONST, 0, END];

/** Indexes of globals: the remaining budget, and a length while it is charged. */
interface Meter {
  readonly fuel: number;
  readonly length: number;
}

interface Section {
  readonly id: number;
  readonly body: Uint8Array;
}

function sectionsOf(module: Uint8Array): Section[] {
  const reader = new WasmReader(module, PREAMBLE_BYTES);
  const sections: Section[] = [];
  while (reader.at < module.length) {
    const id = reader.byte();
    const length = reader.number();
    sections.push({ id, body: module.subarray(reader.at, reader.at + length) });
    reader.skip(length);
  }
  return sections;
}

function bodyOf(sections: readonly Section[], id: number): Uint8Array {
  const found = sections.find((section) => section.id === id);
  if (found === undefined) throw new Error(`the module has no section ${id}`);
  return found.body;
}

function importedGlobals(body: Uint8Array): number {
  const reader = new WasmReader(body);
  let globals = 0;
  for (let left = reader.number(); left > 0; left -= 1) {
    reader.skip(reader.number());
    reader.skip(reader.number());
    const kind = reader.byte();
    if (kind !== FUNCTION_IMPORT && kind !== GLOBAL_IMPORT)
      throw new Error("an import is of an unknown kind");
    if (kind === GLOBAL_IMPORT) {
      reader.skip(2);
      globals += 1;
    } else reader.number();
  }
  return globals;
}

/** A section's vector with appended items. */
function withMore(body: Uint8Array, items: readonly (readonly number[])[]): number[] {
  const reader = new WasmReader(body);
  const count = reader.number();
  return [...unsigned(count + items.length), ...body.subarray(reader.at), ...items.flat()];
}

function meteredCode(body: Uint8Array, meter: Meter): number[] {
  const reader = new WasmReader(body);
  const count = reader.number();
  const code = unsigned(count);
  for (let i = 0; i < count; i += 1) {
    const length = reader.number();
    const metered = meteredFunction(body.subarray(reader.at, reader.at + length), meter);
    code.push(...unsigned(metered.length));
    for (const byte of metered) code.push(byte);
    reader.skip(length);
  }
  return code;
}

/** A function or a loop in it, and the cost of one iteration. */
interface Turn {
  readonly at: number;
  instructions: number;
}

/** Position of a charge, and its instructions. */
interface Payment {
  readonly at: number;
  readonly bytes: readonly number[];
}

function meteredFunction(body: Uint8Array, meter: Meter): number[] {
  const reader = new WasmReader(body);
  for (let groups = reader.number(); groups > 0; groups -= 1) {
    reader.number();
    reader.skip(1);
  }
  const whole: Turn = { at: reader.at, instructions: 0 };
  const turns = [whole];
  const payments: Payment[] = [];
  // The loop that each open block belongs to.
  const open = [whole];
  while (reader.at < body.length) {
    const { at } = reader;
    const opcode = reader.instruction();
    const around = open.at(-1);
    if (around === undefined) throw new Error("a function goes on after its end");
    around.instructions += 1;
    if (opcode === MEMORY_COPY || opcode === MEMORY_FILL) payments.push({ at, bytes: lengthPaid(meter) });
    if (opcode === LOOP) {
      const turn = { at: reader.at, instructions: 0 };
      turns.push(turn);
      open.push(turn);
    } else if (opcode === BLOCK || opcode === IF) open.push(around);
    else if (opcode === END) open.pop();
  }
  const ofTurns = turns.map(({ at, instructions }) => ({ at, bytes: turnPaid(meter, instructions) }));
  return withPayments(
    body,
    [...payments, ...ofTurns].sort((left, right) => left.at - right.at),
  );
}

function withPayments(body: Uint8Array, payments: readonly Payment[]): number[] {
  const bytes: number[] = [];
  let copied = 0;
  for (const payment of payments) {
    bytes.push(...body.subarray(copied, payment.at), ...payment.bytes);
    copied = payment.at;
  }
  return [...bytes, ...body.subarray(copied)];
}

const turnPaid = (meter: Meter, instructions: number): number[] =>
  paid(meter, [I32_CONST, ...signed(instructions)]);

/** Code that charges the length on top of the stack and leaves it there. */
function lengthPaid(meter: Meter): number[] {
  const length = unsigned(meter.length);
  const get = [GLOBAL_GET, ...length];
  return [
    ...[GLOBAL_SET, ...length, ...get],
    ...paid(meter, [...get, I32_CONST, BYTES_PER_INSTRUCTION_LOG2, I32_SHR_U]),
  ];
}

/** Subtracts an amount from the budget and traps if it was too small. */
function paid({ fuel }: Meter, amount: readonly number[]): number[] {
  const global = unsigned(fuel);
  return [
    ...[GLOBAL_GET, ...global, ...amount, I32_SUB, GLOBAL_SET, ...global],
    ...[GLOBAL_GET, ...global, I32_CONST, 0, I32_LT_S, IF, VOID, UNREACHABLE, END],
  ];
}

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return [...bytes, left];
    bytes.push((left & 0x7f) | 0x80);
  }
}

/** Signed LEB128 of a non-negative number. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x40) return [...bytes, left];
    bytes.push((left & 0x7f) | 0x80);
  }
}
