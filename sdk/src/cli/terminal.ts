/**
 * Output of a command: results to standard output, everything else to standard error. With `--json`, standard output is
 * one line of JSON per result.
 */

export interface Terminal {
  readonly isJson: boolean;
  /** A result, as JSON or as lines for people. */
  readonly result: (value: unknown, lines: readonly string[]) => void;
  /** Information that is not a result. */
  readonly note: (text: string) => void;
  /** A log line about a request, if enabled. */
  readonly log: (text: string) => void;
  /** Shows a progress bar if standard error is a terminal. */
  readonly progress: (share: number, text: string) => void;
  /** Removes the progress bar. */
  readonly endProgress: () => void;
  readonly paint: ReturnType<typeof paintFor>;
}

/** The part of a process that the terminal needs. */
export interface Streams {
  readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly stderr: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
}

const CELLS = 24;
const ERASE_LINE = "\r\u001b[K";
const DEFAULT_COLUMNS = 80;

/** Colours only on a terminal without NO_COLOR (https://no-color.org). */
const wantsColour = ({ env }: Streams, isTerminal: boolean): boolean =>
  isTerminal && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";

/** Functions that style text; they return it unchanged if colours are off. */
function paintFor(isColoured: boolean) {
  const mark =
    (open: number, close: number) =>
    (text: string): string =>
      isColoured ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { strong: mark(1, 22), faint: mark(2, 22), good: mark(32, 39) };
}

/** Opens the terminal of a process. */
export function openTerminal(streams: Streams, isJson: boolean, isQuiet: boolean): Terminal {
  const { stdout, stderr } = streams;
  const isWatched = stderr.isTTY === true && !isJson && !isQuiet && streams.env.TERM !== "dumb";
  let isBarShown = false;
  const endProgress = (): void => {
    if (isBarShown) stderr.write(ERASE_LINE);
    isBarShown = false;
  };
  return {
    isJson,
    paint: paintFor(!isJson && wantsColour(streams, stdout.isTTY === true)),
    result: (value, lines) => {
      endProgress();
      stdout.write(isJson ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(""));
    },
    note: (text) => {
      endProgress();
      if (!isQuiet) stderr.write(`${text}\n`);
    },
    log: (text) => {
      endProgress();
      stderr.write(`${paintFor(wantsColour(streams, stderr.isTTY === true) && !isJson).faint(text)}\n`);
    },
    progress: (share, text) => {
      if (!isWatched) return;
      const full = Math.round(CELLS * Math.min(1, Math.max(0, share)));
      const line = `${"█".repeat(full)}${"░".repeat(CELLS - full)} ${text}`;
      stderr.write(`${ERASE_LINE}${line.slice(0, (stderr.columns ?? DEFAULT_COLUMNS) - 1)}`);
      isBarShown = true;
    },
    endProgress,
  };
}

/** Aligns cells in columns, except the last one. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
