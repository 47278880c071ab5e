import { LRUCache } from "lru-cache";

/**
 * The windows that this isolate was told are exhausted. Such a window stays so until it ends: who goes on sending
 * requests is refused without a call to its Durable Object, and without the reads beside it.
 */
export interface ExhaustedWindowCache {
  /** When the window ends, in Unix ms; undefined where it is not known to be exhausted. */
  endOf(window: string, nowMs: number): number | undefined;
  add(window: string, endsAtMs: number): void;
}

/** About 100 KB. */
const WINDOWS_MAX = 1_000;

export function createExhaustedWindowCache(): ExhaustedWindowCache {
  const ends = new LRUCache<string, number>({ max: WINDOWS_MAX });
  return {
    endOf(window, nowMs) {
      const endsAtMs = ends.get(window);
      if (endsAtMs === undefined || nowMs < endsAtMs) return endsAtMs;
      ends.delete(window);
      return undefined;
    },
    add(window, endsAtMs) {
      ends.set(window, endsAtMs);
    },
  };
}
