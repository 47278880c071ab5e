/** Names of the grid's User Timing entries (Level 3), for developer tools and the benchmark. */
const FIRST = "grid: first tile";
const ALL = "grid: all tiles";
const WARM = "grid: warm";

/** Measures the time from new inputs to the first changed tile, and to the last. */
export interface Stopwatch {
  readonly start: () => void;
  /** Call when a current tile was drawn. */
  readonly lap: () => void;
  /** Call when all tiles are drawn. */
  readonly stop: () => void;
  /** Call when all workers are warm. */
  readonly markWarm: () => void;
}

export function createStopwatch(): Stopwatch {
  let startedMs: number | null = null;
  let hasLapped = false;
  const record = (name: string, start: number): void => {
    // Keep one entry per name, so that entries do not accumulate.
    performance.clearMeasures(name);
    performance.measure(name, { start });
  };
  return {
    start: () => {
      startedMs = performance.now();
      hasLapped = false;
    },
    lap: () => {
      if (startedMs === null || hasLapped) return;
      hasLapped = true;
      record(FIRST, startedMs);
    },
    stop: () => {
      if (startedMs === null) return;
      record(ALL, startedMs);
      startedMs = null;
    },
    markWarm: () => {
      performance.clearMarks(WARM);
      performance.mark(WARM);
    },
  };
}
