/** Slots of this isolate. A task that finds no free slot is refused at once instead of waiting. */
export interface Slots {
  /** Takes a slot. Returns a function that releases it, or null if none is free. */
  take(nowMs: number): (() => void) | null;
}

/** Creates `places` slots. A slot is free again after `heldMsMax`, because a canceled request may never release it. */
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
