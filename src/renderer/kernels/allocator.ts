/**
 * A bump allocator: allocates upwards, and frees everything or what was allocated since a mark. Fresh WASM memory is
 * zero; memory that is allocated again still holds its old bytes.
 */
const PAGE_BYTES: usize = 65536;

let top: usize = 0;
let bytesMax: usize = 0;

/** Frees everything. Until the next reset at most `limitBytes` can be allocated. */
export function resetAllocator(limitBytes: usize): void {
  top = (__heap_base + 15) & ~15;
  bytesMax = top + limitBytes;
}

/** Allocates `bytes`, 16-aligned. 0 when that passes the limit or the engine gives no more. */
export function allocate(bytes: usize): usize {
  const start = top;
  if (bytes > bytesMax || start + bytes > bytesMax) return 0;
  const end = (start + bytes + 15) & ~15;
  const memoryEnd = <usize>memory.size() * PAGE_BYTES;
  if (end > memoryEnd && memory.grow(<i32>((end - memoryEnd + PAGE_BYTES - 1) / PAGE_BYTES)) < 0) return 0;
  top = end;
  return start;
}

/** Where the next block will start, for `freeTo`. */
export function allocationMark(): usize {
  return top;
}

/** Frees everything allocated since the mark. */
export function freeTo(earlier: usize): void {
  top = earlier;
}
