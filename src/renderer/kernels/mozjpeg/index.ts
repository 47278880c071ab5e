/**
 * Three inner loops of mozjpeg with identical rounding, for use in its memory
 * (`scripts/make/kernels/graft-mozjpeg.ts`).
 */

/** Address of the zigzag order of mozjpeg 4.1 in @jsquash/jpeg 1.6.0: 32-bit numbers. */
const ORDER: usize = 15168;
/** Offsets in the stack frame of mozjpeg's `quantize_trellis` (jcdctmgr.c); arrays by position in zigzag order. */
const DISTORTIONS: usize = 2576;
const NONZERO: usize = 2640;
const WEIGHTS: usize = 2768;
const RUN_STARTS: usize = 3168;
const COSTS: usize = 3424;
const ZERO_DISTORTIONS: usize = 3680;
/**
 * For each index into `NONZERO`: the minimum of cost minus distortion of zeros, over the positions up to that index.
 */
const EXCESS_MINIMA: usize = 3936;
/** For each candidate number: the addresses of its DC levels and of its costs, one per block. */
const DC_CANDIDATES: usize = 3024;
const DC_COSTS: usize = 3120;
const NO_COST: f32 = 1e38;
/** The largest valid cost. */
const COST_MAX: f32 = reinterpret<f32>(reinterpret<u32>(NO_COST) - 1);
const LEVEL_MAX: u32 = 1023;
/** Index of the run of sixteen zeros (ZRL) in a Huffman table's code lengths. */
const SIXTEEN_ZEROS: usize = 0xf0;
/** Upper bound of the single-precision error of a sum of four terms. */
const ERROR_SHARE: f32 = 2e-6;

/**
 * The AC part of the trellis. For each coefficient, mozjpeg tries every earlier one; this loop goes backwards and stops
 * once no earlier coefficient can be cheaper. Chooses levels (`levels`, 16 bits, in natural order) and their costs for
 * positions `first` to `last` of the unquantised `source`, from the `steps` of a quantisation table and the code
 * `lengths` of a Huffman table.
 */
export function chooseLevels(
  frame: usize,
  levels: usize,
  source: usize,
  steps: usize,
  lengths: usize,
  lambda: f32,
  first: i32,
  last: i32,
): void {
  const zerosLength = <i32>load<i8>(lengths + SIXTEEN_ZEROS);
  const start = first - 1;
  let count: i32 = 1;
  store<u8>(frame, <u8>start, NONZERO);
  store<f32>(
    frame,
    load<f32>(frame + ((<usize>start) << 2), COSTS) -
      load<f32>(frame + ((<usize>start) << 2), ZERO_DISTORTIONS),
    EXCESS_MINIMA,
  );
  let zeros: f32 = 0;
  for (let at = first; at <= last; at += 1) {
    const slot = frame + ((<usize>at) << 2);
    const natural = <usize>load<i32>(ORDER + ((<usize>at) << 2));
    const value = <i32>load<i16>(source + (natural << 1));
    const size = <u32>abs(value);
    const step = (<u32>load<u16>(steps + (natural << 1))) << 3;
    const weight = load<f32>(frame + (natural << 2), WEIGHTS);
    const zerosBefore = load<f32>(slot - 4, ZERO_DISTORTIONS);
    zeros = lambda * <f32>(value * value) * weight + zeros;
    store<f32>(slot, zeros, ZERO_DISTORTIONS);
    store<f32>(slot, NO_COST, COSTS);
    const rounded = size + (step >> 1);
    if (step > rounded) {
      store<u16>(levels + (natural << 1), 0);
      continue;
    }
    const level = min(rounded / step, LEVEL_MAX);
    const candidates = 32 - <i32>clz(level);
    // The nearest level, and the largest level of each smaller bit count.
    let least: f32 = NO_COST;
    for (let kind = 0; kind < candidates; kind += 1) {
      const missed = <i32>(levelOf(kind, candidates, level) * step) - <i32>size;
      const distortion = weight * (lambda * <f32>(missed * missed));
      store<f32>(frame + ((<usize>kind) << 2), distortion, DISTORTIONS);
      least = min(least, distortion + <f32>(kind + 2));
    }
    let best: f32 = COST_MAX;
    let chosen: i32 = -1;
    let from: i32 = 0;
    for (let index = count - 1; index >= 0; index -= 1) {
      const bound = zerosBefore + load<f32>(frame + ((<usize>index) << 2), EXCESS_MINIMA) + least;
      if (bound - ERROR_SHARE * (zerosBefore + best) > best) break;
      const before = <i32>load<u8>(frame + <usize>index, NONZERO);
      const slotBefore = frame + ((<usize>before) << 2);
      const base = zerosBefore - load<f32>(slotBefore, ZERO_DISTORTIONS) + load<f32>(slotBefore, COSTS);
      if (least + base > best) continue;
      const run = at - 1 - before;
      const sixteens = run >> 4;
      if (sixteens !== 0 && zerosLength === 0) continue;
      const row = lengths + <usize>((run & 15) << 4);
      for (let kind = candidates - 1; kind >= 0; kind -= 1) {
        const length = <i32>load<i8>(row + <usize>kind, 1);
        if (length === 0) continue;
        const rate = <f32>(sixteens * zerosLength + kind + 1 + length);
        const cost = load<f32>(frame + ((<usize>kind) << 2), DISTORTIONS) + rate + base;
        // At equal costs, keep the choice that mozjpeg tries first.
        if (cost > best) continue;
        best = cost;
        chosen = kind;
        from = before;
      }
    }
    if (chosen >= 0) {
      const sign = value >> 31;
      const magnitude = <i32>levelOf(chosen, candidates, level);
      store<i16>(levels + (natural << 1), <i16>((magnitude ^ sign) - sign));
      store<f32>(slot, best, COSTS);
      store<i32>(slot, from, RUN_STARTS);
    }
    const excess = load<f32>(slot, COSTS) - zeros;
    store<u8>(frame + <usize>count, <u8>at, NONZERO);
    store<f32>(
      frame + ((<usize>count) << 2),
      min(load<f32>(frame + ((<usize>(count - 1)) << 2), EXCESS_MINIMA), excess),
      EXCESS_MINIMA,
    );
    count += 1;
  }
}

function levelOf(kind: i32, candidates: i32, level: u32): u32 {
  return kind < candidates - 1 ? (2 << kind) - 1 : level;
}

/**
 * Finds the DC candidate of `block` that is cheapest before the DC level `value` of the next block. Writes its cost at
 * address `cost` and its number at address `choice`.
 */
export function chooseBefore(
  frame: usize,
  block: usize,
  candidates: usize,
  value: i32,
  distortion: f32,
  lengths: usize,
  cost: usize,
  choice: usize,
): void {
  // Costs are not negative, so their bits sort like the numbers; equal costs are ordered by candidate number.
  let best = u64.MAX_VALUE;
  for (let candidate: usize = 0; candidate < candidates; candidate += 1) {
    const slot = frame + (candidate << 2);
    const before = <i32>load<i16>(<usize>load<u32>(slot, DC_CANDIDATES) + (block << 1));
    const bits = <usize>(32 - clz(abs(value - before)));
    const rate = <f32>(<i32>bits + <i32>load<i8>(lengths + bits));
    const sum = load<f32>(<usize>load<u32>(slot, DC_COSTS) + (block << 2)) + (distortion + rate);
    const key = ((<u64>reinterpret<u32>(sum)) << 8) | candidate;
    best = select(key, best, key < best);
  }
  store<u32>(cost, <u32>(best >> 8));
  store<u32>(choice, <u32>best & 0xff);
}

/** Counts the AC symbols of a block of levels (`encode_mcu_gather` in jchuff.c). */
export function countSymbols(levels: usize, counts: usize): void {
  let seen: u64 = 0;
  for (let at: usize = 1; at < 64; at += 1) {
    const level = load<u16>(levels + ((<usize>load<u32>(ORDER + (at << 2))) << 1));
    seen |= (<u64>(level !== 0)) << at;
  }
  let before: i32 = 0;
  for (; seen !== 0; seen &= seen - 1) {
    const at = <i32>ctz(seen);
    const level = <i32>load<i16>(levels + ((<usize>load<u32>(ORDER + ((<usize>at) << 2))) << 1));
    const run = at - before - 1;
    if (run > 15) store<u32>(counts, load<u32>(counts, SIXTEEN_ZEROS << 2) + (run >> 4), SIXTEEN_ZEROS << 2);
    const symbol = ((run & 15) << 4) + (32 - clz(abs(level)));
    const count = counts + ((<usize>symbol) << 2);
    store<u32>(count, load<u32>(count) + 1);
    before = at;
  }
  if (before < 63) store<u32>(counts, load<u32>(counts) + 1);
}
