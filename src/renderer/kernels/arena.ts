/**
 * Memory of a kernel: taken from the bottom up, given back all at once or down to a mark. WASM memory starts as zeros,
 * memory taken a second time holds what was there.
 */
const PAGE_BYTES: usize = 65536;

let top: usize = 0;
let bytesMax: usize = 0;

/** Gives everything back. No more than `limitBytes` can be taken until the next reset. */
export function resetArena(limitBytes: usize): void {
  top = (__heap_base + 15) & ~15;
  bytesMax = top + limitBytes;
}

/** Takes `bytes`, 16-aligned. 0 when that passes the limit or the engine has no more. */
export function take(bytes: usize): usize {
  const start = top;
  if (bytes > bytesMax || start + bytes > bytesMax) return 0;
  const end = (start + bytes + 15) & ~15;
  const held = <usize>memory.size() * PAGE_BYTES;
  if (end > held && memory.grow(<i32>((end - held + PAGE_BYTES - 1) / PAGE_BYTES)) < 0) return 0;
  top = end;
  return start;
}

/** Where the next block will stand, for `releaseTo`. */
export function mark(): usize {
  return top;
}

/** Gives back everything taken since the mark. */
export function releaseTo(earlier: usize): void {
  top = earlier;
}
