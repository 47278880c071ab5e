/**
 * A bump allocator. Frees either everything or all blocks since a mark. Fresh WASM memory is zero; reused memory keeps
 * its old bytes.
 */
const PAGE_BYTES: usize = 65536;

let top: usize = 0;
let bytesMax: usize = 0;

/** Frees everything. Until the next reset at most `limitBytes` can be allocated. */
export function resetAllocator(limitBytes: usize): void {
  top = (__heap_base + 15) & ~15;
  bytesMax = top + limitBytes;
}

/** Allocates `bytes`, 16-aligned. Returns 0 past the limit or when memory cannot grow. */
export function allocate(bytes: usize): usize {
  const start = top;
  if (bytes > bytesMax || start + bytes > bytesMax) return 0;
  const end = (start + bytes + 15) & ~15;
  const memoryEnd = <usize>memory.size() * PAGE_BYTES;
  if (end > memoryEnd && memory.grow(<i32>((end - memoryEnd + PAGE_BYTES - 1) / PAGE_BYTES)) < 0) return 0;
  top = end;
  return start;
}

/** A mark for `freeTo`: the start of the next block. */
export function allocationMark(): usize {
  return top;
}

/** Frees everything allocated since the mark. */
export function freeTo(earlier: usize): void {
  top = earlier;
}
