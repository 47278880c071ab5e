/**
 * Huffman codes of bounded length. Lengths are found in place of the sorted frequencies (A. Moffat and J. Katajainen,
 * "In-place calculation of minimum-redundancy codes", 1995); lengths past the bound are taken back by lengthening the
 * longest shorter ones until the code is complete again.
 */
const SYMBOLS_MAX: i32 = 286;

/** Symbols that occur, the rarest first, and their frequencies, of which lengths become. */
const sorted: usize = memory.data(286 * 2, 16);
const keys: usize = memory.data(286 * 4, 16);
/** How many codes there are of each length. */
const counts: usize = memory.data(64 * 4, 16);
const nextCodes: usize = memory.data(17 * 4, 16);

/**
 * Makes codes of at most `bitsMax` bits for `symbols` frequencies of 32 bits, of which two at least are not zero. Writes
 * of each symbol `length << 16 | code`, the code's first bit its lowest; 0 when it does not occur.
 */
export function makeCodes(frequencies: usize, symbols: i32, bitsMax: i32, codes: usize): void {
  const used = sortUsed(frequencies, min(symbols, SYMBOLS_MAX));
  findLengths(used);
  memory.fill(counts, 0, 64 * 4);
  for (let index: i32 = 0; index < used; index++) {
    const slot = counts + ((<usize>min(bitsMax, load<i32>(keys + ((<usize>index) << 2)))) << 2);
    store<i32>(slot, load<i32>(slot) + 1);
  }
  completeLengths(bitsMax);
  memory.fill(codes, 0, (<usize>symbols) << 2);
  // The rarest get the longest.
  let index: i32 = 0;
  for (let length = bitsMax; length > 0; length--) {
    for (let left = load<i32>(counts + ((<usize>length) << 2)); left > 0; left--, index++) {
      store<u32>(codes + ((<usize>load<u16>(sorted + ((<usize>index) << 1))) << 2), (<u32>length) << 16);
    }
  }
  numberCodes(symbols, bitsMax, codes);
}

function sortUsed(frequencies: usize, symbols: i32): i32 {
  let used: i32 = 0;
  for (let symbol: i32 = 0; symbol < symbols; symbol++) {
    const frequency = load<i32>(frequencies + ((<usize>symbol) << 2));
    if (frequency === 0) continue;
    let place = used++;
    for (; place > 0 && load<i32>(keys + ((<usize>(place - 1)) << 2)) > frequency; place--) {
      store<i32>(keys + ((<usize>place) << 2), load<i32>(keys + ((<usize>(place - 1)) << 2)));
      store<u16>(sorted + ((<usize>place) << 1), load<u16>(sorted + ((<usize>(place - 1)) << 1)));
    }
    store<i32>(keys + ((<usize>place) << 2), frequency);
    store<u16>(sorted + ((<usize>place) << 1), <u16>symbol);
  }
  return used;
}

function key(index: i32): i32 {
  return load<i32>(keys + ((<usize>index) << 2));
}

function setKey(index: i32, value: i32): void {
  store<i32>(keys + ((<usize>index) << 2), value);
}

/** Turns `count` sorted frequencies, two at least, into lengths. */
function findLengths(count: i32): void {
  // Joins the two lightest, leaves or roots, until one is left; a joined one keeps where it went.
  let root: i32 = 0;
  let leaf: i32 = 2;
  setKey(0, key(0) + key(1));
  for (let next: i32 = 1; next < count - 1; next++) {
    let weight: i32;
    if (leaf >= count || key(root) < key(leaf)) {
      weight = key(root);
      setKey(root++, next);
    } else {
      weight = key(leaf++);
    }
    if (leaf >= count || (root < next && key(root) < key(leaf))) {
      weight += key(root);
      setKey(root++, next);
    } else {
      weight += key(leaf++);
    }
    setKey(next, weight);
  }
  // Depths of what was joined, then of the leaves between them.
  setKey(count - 2, 0);
  for (let next = count - 3; next >= 0; next--) setKey(next, key(key(next)) + 1);
  let open: i32 = 1;
  let depth: i32 = 0;
  let place = count - 1;
  root = count - 2;
  while (open > 0) {
    let joined: i32 = 0;
    while (root >= 0 && key(root) === depth) {
      joined++;
      root--;
    }
    for (; open > joined; open--) setKey(place--, depth);
    open = joined << 1;
    depth++;
  }
}

/** Makes a complete code of lengths that were cut to `bitsMax`. */
function completeLengths(bitsMax: i32): void {
  let total: i32 = 0;
  for (let length: i32 = 1; length <= bitsMax; length++) {
    total += load<i32>(counts + ((<usize>length) << 2)) << (bitsMax - length);
  }
  const longest = counts + ((<usize>bitsMax) << 2);
  for (; total > 1 << bitsMax; total--) {
    store<i32>(longest, load<i32>(longest) - 1);
    let length = bitsMax - 1;
    while (load<i32>(counts + ((<usize>length) << 2)) === 0) length--;
    const slot = counts + ((<usize>length) << 2);
    store<i32>(slot, load<i32>(slot) - 1);
    store<i32>(slot, load<i32>(slot, 4) + 2, 4);
  }
}

/** Numbers codes of a length in the order of their symbols (RFC 1951, 3.2.2). */
function numberCodes(symbols: i32, bitsMax: i32, codes: usize): void {
  let code: i32 = 0;
  for (let length: i32 = 1; length <= bitsMax; length++) {
    code = (code + (length > 1 ? load<i32>(counts + ((<usize>(length - 1)) << 2)) : 0)) << 1;
    store<i32>(nextCodes + ((<usize>length) << 2), code);
  }
  for (let symbol: i32 = 0; symbol < symbols; symbol++) {
    const slot = codes + ((<usize>symbol) << 2);
    const length = load<u32>(slot) >> 16;
    if (length === 0) continue;
    const next = nextCodes + ((<usize>length) << 2);
    const number = load<u32>(next);
    store<u32>(next, number + 1);
    store<u32>(slot, (length << 16) | reversed(number, length));
  }
}

function reversed(code: u32, length: u32): u32 {
  let rest = code;
  let turned: u32 = 0;
  for (let bit: u32 = 0; bit < length; bit++) {
    turned = (turned << 1) | (rest & 1);
    rest >>= 1;
  }
  return turned;
}
