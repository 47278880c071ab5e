/** Strings that stood in the last 32 KB, by a hash of their first three bytes; of one hash the latest first. */
export const LENGTH_MIN: i32 = 3;
const LENGTH_MAX: i32 = 258;
const WINDOW: i32 = 32768;
const HASH_BITS: i32 = 15;

/** Strings tried for one match. */
const TRIES_MAX: i32 = 6;

let input: usize = 0;
let end: i32 = 0;
/** Of each hash: the latest place, counted from 1. Of each place, by its last 15 bits: the one before of its hash. */
let latest: usize = 0;
let before: usize = 0;
let inserted: i32 = 0;

/** How far back the match that was found last begins. */
export let distance: i32 = 0;

export function matchesBytes(): usize {
  return (((<usize>1) << HASH_BITS) + WINDOW) * 4;
}

export function beginMatches(table: usize, from: usize, bytes: i32): void {
  input = from;
  end = bytes;
  latest = table;
  before = table + (((<usize>1) << HASH_BITS) << 2);
  inserted = 0;
  memory.fill(latest, 0, ((<usize>1) << HASH_BITS) << 2);
}

function slotOf(at: i32): usize {
  const three = load<u32>(input + at) << 8;
  return latest + ((<usize>((three * 0x9e3779b1) >> (32 - HASH_BITS))) << 2);
}

/** Makes the strings before `place` known. */
function insertTo(place: i32): void {
  const stop = min(place, end - LENGTH_MIN + 1);
  for (; inserted < stop; inserted++) {
    const slot = slotOf(inserted);
    store<i32>(before + ((<usize>inserted & (WINDOW - 1)) << 2), load<i32>(slot));
    store<i32>(slot, inserted + 1);
  }
}

/** Length of the longest string known that `at` repeats, 0 when there is none; `distance` says where it stood. */
export function findMatch(at: i32): i32 {
  if (at + LENGTH_MIN > end) return 0;
  insertTo(at);
  const most = min(LENGTH_MAX, end - at);
  const here = input + at;
  let best: i32 = LENGTH_MIN - 1;
  let place = load<i32>(slotOf(at)) - 1;
  for (let tries: i32 = 0; tries < TRIES_MAX && place >= 0 && at - place <= WINDOW - 1; tries++) {
    const there = input + place;
    if (load<u8>(there + best) === load<u8>(here + best)) {
      const length = sharedLength(there, here, most);
      if (length > best) {
        best = length;
        distance = at - place;
        if (best === most) break;
      }
    }
    const earlier = load<i32>(before + ((<usize>place & (WINDOW - 1)) << 2)) - 1;
    if (earlier >= place) break;
    place = earlier;
  }
  return best < LENGTH_MIN ? 0 : best;
}

function sharedLength(one: usize, other: usize, most: i32): i32 {
  let length: i32 = 0;
  while (length < most) {
    const difference = load<u64>(one + length) ^ load<u64>(other + length);
    if (difference !== 0) return min(most, length + <i32>(ctz(difference) >> 3));
    length += 8;
  }
  return most;
}
