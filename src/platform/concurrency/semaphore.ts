/** Places in this isolate that tasks take and give back. A task that finds none is refused at once: it never waits. */
export interface Slots {
  /** Takes a place. Returns the function that gives it back, or null where none is free. */
  take(nowMs: number): (() => void) | null;
}

/**
 * So many places. One that was not given back within `heldMsMax` is free again: a request that is cut off may end without
 * giving its own back.
 */
export function createSlots(places: number, heldMsMax: number): Slots {
  const held = new Map<symbol, number>();
  return {
    take(nowMs) {
      for (const [slot, sinceMs] of held) if (nowMs - sinceMs >= heldMsMax) held.delete(slot);
      if (held.size >= places) return null;
      const slot = Symbol("slot");
      held.set(slot, nowMs);
      return () => void held.delete(slot);
    },
  };
}
