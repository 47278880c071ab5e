/** The share of a processor that a thread gets from a moment on, until the next one: others use the machine too. */
export interface Pace {
  readonly fromMs: number;
  /** Above 0, at most 1. */
  readonly share: number;
}

/**
 * When work ends on a thread with these paces, in order of time; before the first, and without any, it has the processor for
 * itself. Work is in ms of the processor.
 */
export function pacedBy(paces: readonly Pace[]): (startMs: number, workMs: number) => number {
  return (startMs, workMs) => {
    let place = paces.findLastIndex(({ fromMs }) => fromMs <= startMs);
    let [nowMs, leftMs] = [startMs, workMs];
    for (; place < paces.length - 1; place += 1) {
      const share = paces[place]?.share ?? 1;
      const untilMs = paces[place + 1]?.fromMs ?? nowMs;
      const doneMs = (untilMs - nowMs) * share;
      if (doneMs >= leftMs) return nowMs + leftMs / share;
      leftMs -= doneMs;
      nowMs = untilMs;
    }
    return nowMs + leftMs / (paces[place]?.share ?? 1);
  };
}
