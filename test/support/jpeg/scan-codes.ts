import type { Plane } from "./coefficients.ts";

/** Parameters of a scan header (ITU-T T.81, B.2.3). */
export interface ScanScript {
  readonly components: readonly number[];
  readonly ss: number;
  readonly se: number;
  readonly ah: number;
  readonly al: number;
}

/** A symbol of a Huffman table with the bits behind it, bits alone, or an RSTm marker. */
export type Code =
  | { readonly table: "dc" | "ac"; readonly symbol: number; readonly bits: string }
  | { readonly table: null; readonly bits: string }
  | "RST";

const sizeOf = (value: number): number => (value === 0 ? 0 : 32 - Math.clz32(Math.abs(value)));

const binary = (value: number, size: number): string =>
  size === 0 ? "" : value.toString(2).padStart(size, "0");

/** A coefficient's bits behind its size (T.81, F.1.2.1.1). */
const magnitude = (value: number): string =>
  binary(value < 0 ? value + 2 ** sizeOf(value) - 1 : value, sizeOf(value));

/** The point transform of AC coefficients: divides by 2^Al towards zero (T.81, G.1.2.2). */
const lowered = (value: number, al: number): number => Math.sign(value) * (Math.abs(value) >> al);

/** All codes of a scan over the planes of a picture. */
export function scanCodes(
  planes: readonly Plane[],
  script: ScanScript,
  isProgressive: boolean,
  restartInterval: number,
): readonly Code[] {
  const codes: Code[] = [];
  const state: State = { codes, script, isProgressive, pred: [], eobrun: 0, correctionBits: "" };
  let mcusToRestart = restartInterval;
  for (const mcu of mcusOf(planes, script)) {
    if (restartInterval > 0 && mcusToRestart === 0) {
      flushEobrun(state);
      state.pred = [];
      codes.push("RST");
      mcusToRestart = restartInterval;
    }
    mcusToRestart -= 1;
    for (const { component, block } of mcu) encodeBlock(state, component, block);
  }
  flushEobrun(state);
  return codes;
}

interface State {
  readonly codes: Code[];
  readonly script: ScanScript;
  readonly isProgressive: boolean;
  pred: (number | undefined)[];
  eobrun: number;
  correctionBits: string;
}

interface Numbered {
  readonly component: number;
  readonly block: Int16Array;
}

function* mcusOf(planes: readonly Plane[], { components }: ScanScript): Generator<readonly Numbered[]> {
  const blockOf = (component: number, x: number, y: number): Numbered => {
    const plane = planes[component];
    if (plane === undefined) throw new Error("the script names a component that is not there");
    const at = (y * plane.rowBlocks + x) * 64;
    return { component, block: plane.coefficients.subarray(at, at + 64) };
  };
  const [lead = 0] = components;
  const plane = planes[lead];
  if (plane === undefined) return;
  if (components.length === 1) {
    for (let y = 0; y < plane.blocksDown; y++) {
      for (let x = 0; x < plane.blocksAcross; x++) yield [blockOf(lead, x, y)];
    }
    return;
  }
  const mcusPerRow = plane.rowBlocks / plane.h;
  const mcuRows = plane.coefficients.length / 64 / plane.rowBlocks / plane.v;
  for (let y = 0; y < mcuRows; y++) {
    for (let x = 0; x < mcusPerRow; x++) {
      yield components.flatMap((component) => {
        const { h = 1, v = 1 } = planes[component] ?? {};
        return Array.from({ length: h * v }, (_, at) =>
          blockOf(component, x * h + (at % h), y * v + Math.floor(at / h)),
        );
      });
    }
  }
}

function encodeBlock(state: State, component: number, block: Int16Array): void {
  const { script, isProgressive } = state;
  if (!isProgressive) {
    encodeDc(state, component, block[0] ?? 0);
    encodeAc(state, block, 1, 63, 0);
  } else if (script.ss > 0) {
    if (script.ah === 0) encodeAc(state, block, script.ss, script.se, script.al);
    else refineAc(state, block);
  } else if (script.ah === 0) {
    encodeDc(state, component, (block[0] ?? 0) >> script.al);
  } else {
    state.codes.push({ table: null, bits: String(((block[0] ?? 0) >> script.al) & 1) });
  }
}

function encodeDc({ codes, pred }: State, component: number, value: number): void {
  const difference = value - (pred[component] ?? 0);
  pred[component] = value;
  codes.push({ table: "dc", symbol: sizeOf(difference), bits: magnitude(difference) });
}

function encodeAc(state: State, block: Int16Array, ss: number, se: number, al: number): void {
  let zeros = 0;
  for (let k = ss; k <= se; k++) {
    const value = lowered(block[k] ?? 0, al);
    if (value === 0) {
      zeros += 1;
      continue;
    }
    flushEobrun(state);
    for (; zeros > 15; zeros -= 16) state.codes.push({ table: "ac", symbol: 0xf0, bits: "" });
    state.codes.push({ table: "ac", symbol: (zeros << 4) | sizeOf(value), bits: magnitude(value) });
    zeros = 0;
  }
  if (zeros > 0) endBlock(state, "");
}

function endBlock(state: State, bits: string): void {
  if (!state.isProgressive) {
    state.codes.push({ table: "ac", symbol: 0, bits: "" });
    return;
  }
  state.eobrun += 1;
  state.correctionBits += bits;
  if (state.eobrun === 0x7fff) flushEobrun(state);
}

/** Writes EOBn for the run so far, and the correction bits of its blocks (T.81, G.1.2.2 and G.1.2.3). */
function flushEobrun(state: State): void {
  if (state.eobrun === 0) return;
  const size = sizeOf(state.eobrun) - 1;
  const rest = binary(state.eobrun - 2 ** size, size);
  state.codes.push({ table: "ac", symbol: size << 4, bits: rest + state.correctionBits });
  state.eobrun = 0;
  state.correctionBits = "";
}

function refineAc(state: State, block: Int16Array): void {
  const { ss, se, al } = state.script;
  const values = Array.from(block, (value) => Math.abs(value) >> al);
  let lastNewK = 0;
  for (let k = ss; k <= se; k++) if (values[k] === 1) lastNewK = k;
  let zeros = 0;
  let bits = "";
  for (let k = ss; k <= se; k++) {
    const value = values[k] ?? 0;
    if (value === 0) {
      zeros += 1;
      continue;
    }
    for (; zeros > 15 && k <= lastNewK; zeros -= 16) {
      flushEobrun(state);
      state.codes.push({ table: "ac", symbol: 0xf0, bits });
      bits = "";
    }
    if (value > 1) {
      bits += String(value & 1);
      continue;
    }
    flushEobrun(state);
    const sign = (block[k] ?? 0) < 0 ? "0" : "1";
    state.codes.push({ table: "ac", symbol: (zeros << 4) | 1, bits: sign + bits });
    bits = "";
    zeros = 0;
  }
  if (zeros > 0 || bits !== "") endBlock(state, bits);
}
