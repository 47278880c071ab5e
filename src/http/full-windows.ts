import { LRUCache } from "lru-cache";

/**
 * The windows that this isolate was told are full. A full window stays full until it ends, so that whoever goes on
 * asking is refused without a crossing to its object, and without what would be read beside it.
 */
export interface FullWindows {
  /** When the window ends; undefined where it is not known to be full. */
  endOf(window: string, nowMs: number): number | undefined;
  note(window: string, endsAtMs: number): void;
}

/** About 100 KB. */
const WINDOWS_MAX = 1_000;

export function createFullWindows(): FullWindows {
  const ends = new LRUCache<string, number>({ max: WINDOWS_MAX });
  return {
    endOf(window, nowMs) {
      const endsAtMs = ends.get(window);
      if (endsAtMs === undefined || nowMs < endsAtMs) return endsAtMs;
      ends.delete(window);
      return undefined;
    },
    note(window, endsAtMs) {
      ends.set(window, endsAtMs);
    },
  };
}
