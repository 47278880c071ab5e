/** Names of the grid's times among the browser's own (User Timing, Level 3): its developer tools and the bench show them. */
const FIRST = "grid: first tile";
const ALL = "grid: all tiles";
const WARM = "grid: warm";

/** Measures how long a grid takes from new inputs to its first changed tile, and to its last. */
export interface Stopwatch {
  readonly start: () => void;
  /** A wanted tile was drawn. */
  readonly lap: () => void;
  /** No tile is left to be drawn. */
  readonly stop: () => void;
  /** The engine has run once in each worker. */
  readonly markWarm: () => void;
}

export function createStopwatch(): Stopwatch {
  let startedMs: number | null = null;
  let hasLapped = false;
  const record = (name: string, start: number): void => {
    // One entry of each: a page that stands for hours gathers none.
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
