import type { Plane } from "./coefficients.ts";

/** What a scan holds (ITU-T T.81, B.2.3). */
export interface ScanScript {
  readonly components: readonly number[];
  readonly first: number;
  readonly last: number;
  readonly high: number;
  readonly low: number;
}

/** A symbol of a table with the bits behind it, bits alone, or a restart. */
export type Code =
  | { readonly table: "dc" | "ac"; readonly symbol: number; readonly bits: string }
  | { readonly table: null; readonly bits: string }
  | "restart";

const sizeOf = (value: number): number => (value === 0 ? 0 : 32 - Math.clz32(Math.abs(value)));

const binary = (value: number, size: number): string =>
  size === 0 ? "" : value.toString(2).padStart(size, "0");

/** A coefficient's bits behind its size (T.81, F.1.2.1.1). */
const magnitude = (value: number): string =>
  binary(value < 0 ? value + 2 ** sizeOf(value) - 1 : value, sizeOf(value));

/** Shifts towards zero, as coefficients of AC are. */
const lowered = (value: number, low: number): number => Math.sign(value) * (Math.abs(value) >> low);

/** All codes of a scan over the planes of a picture. */
export function scanCodes(
  planes: readonly Plane[],
  script: ScanScript,
  isProgressive: boolean,
  restartUnits: number,
): readonly Code[] {
  const codes: Code[] = [];
  const state: State = { codes, script, isProgressive, predictions: [], endRun: 0, endBits: "" };
  let untilRestart = restartUnits;
  for (const unit of unitsOf(planes, script)) {
    if (restartUnits > 0 && untilRestart === 0) {
      flushEndRun(state);
      state.predictions = [];
      codes.push("restart");
      untilRestart = restartUnits;
    }
    untilRestart -= 1;
    for (const { component, block } of unit) encodeBlock(state, component, block);
  }
  flushEndRun(state);
  return codes;
}

interface State {
  readonly codes: Code[];
  readonly script: ScanScript;
  readonly isProgressive: boolean;
  predictions: (number | undefined)[];
  endRun: number;
  endBits: string;
}

interface Numbered {
  readonly component: number;
  readonly block: Int16Array;
}

function* unitsOf(planes: readonly Plane[], { components }: ScanScript): Generator<readonly Numbered[]> {
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
  const unitsAcross = plane.rowBlocks / plane.across;
  const unitsDown = plane.coefficients.length / 64 / plane.rowBlocks / plane.down;
  for (let y = 0; y < unitsDown; y++) {
    for (let x = 0; x < unitsAcross; x++) {
      yield components.flatMap((component) => {
        const { across = 1, down = 1 } = planes[component] ?? {};
        return Array.from({ length: across * down }, (_, at) =>
          blockOf(component, x * across + (at % across), y * down + Math.floor(at / across)),
        );
      });
    }
  }
}

function encodeBlock(state: State, component: number, block: Int16Array): void {
  const { script, isProgressive } = state;
  if (!isProgressive) {
    encodeDc(state, component, block[0] ?? 0);
    encodeBand(state, block, 1, 63, 0);
  } else if (script.first > 0) {
    if (script.high === 0) encodeBand(state, block, script.first, script.last, script.low);
    else refineBand(state, block);
  } else if (script.high === 0) {
    encodeDc(state, component, (block[0] ?? 0) >> script.low);
  } else {
    state.codes.push({ table: null, bits: String(((block[0] ?? 0) >> script.low) & 1) });
  }
}

function encodeDc({ codes, predictions }: State, component: number, value: number): void {
  const difference = value - (predictions[component] ?? 0);
  predictions[component] = value;
  codes.push({ table: "dc", symbol: sizeOf(difference), bits: magnitude(difference) });
}

function encodeBand(state: State, block: Int16Array, first: number, last: number, low: number): void {
  let zeros = 0;
  for (let index = first; index <= last; index++) {
    const value = lowered(block[index] ?? 0, low);
    if (value === 0) {
      zeros += 1;
      continue;
    }
    flushEndRun(state);
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
  state.endRun += 1;
  state.endBits += bits;
  if (state.endRun === 0x7fff) flushEndRun(state);
}

/** Says how many blocks have ended, and the bits of what they refine (T.81, G.1.2.2 and G.1.2.3). */
function flushEndRun(state: State): void {
  if (state.endRun === 0) return;
  const size = sizeOf(state.endRun) - 1;
  const rest = binary(state.endRun - 2 ** size, size);
  state.codes.push({ table: "ac", symbol: size << 4, bits: rest + state.endBits });
  state.endRun = 0;
  state.endBits = "";
}

function refineBand(state: State, block: Int16Array): void {
  const { first, last, low } = state.script;
  const values = Array.from(block, (value) => Math.abs(value) >> low);
  let lastNew = 0;
  for (let index = first; index <= last; index++) if (values[index] === 1) lastNew = index;
  let zeros = 0;
  let bits = "";
  for (let index = first; index <= last; index++) {
    const value = values[index] ?? 0;
    if (value === 0) {
      zeros += 1;
      continue;
    }
    for (; zeros > 15 && index <= lastNew; zeros -= 16) {
      flushEndRun(state);
      state.codes.push({ table: "ac", symbol: 0xf0, bits });
      bits = "";
    }
    if (value > 1) {
      bits += String(value & 1);
      continue;
    }
    flushEndRun(state);
    const sign = (block[index] ?? 0) < 0 ? "0" : "1";
    state.codes.push({ table: "ac", symbol: (zeros << 4) | 1, bits: sign + bits });
    bits = "";
    zeros = 0;
  }
  if (zeros > 0 || bits !== "") endBlock(state, bits);
}
