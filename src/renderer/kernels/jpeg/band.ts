/** What a progressive scan holds of each block: a band of coefficients, down to a bit (T.81, B.2.3). */
export let bandStart: i32 = 0;
export let bandEnd: i32 = 0;
export let lowBit: i32 = 0;

/** Blocks to come of which nothing more is in the band (T.81, G.1.2.2). */
export let endedBlocks: i32 = 0;

export function beginBand(first: i32, last: i32, low: i32): void {
  bandStart = first;
  bandEnd = last;
  lowBit = low;
  endedBlocks = 0;
}

export function keepEndedBlocks(blocks: i32): void {
  endedBlocks = blocks;
}
