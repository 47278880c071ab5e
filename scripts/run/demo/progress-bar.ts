import { styleText } from "node:util";

const CELLS = 28;
const LABEL_CHARACTERS = 34;

/** A bar that is drawn over itself on a terminal, and once, at its end, anywhere else. */
export interface ProgressBar {
  readonly show: (done: number, total: number, note: string) => void;
  readonly end: (note: string) => void;
}

export function createProgressBar(label: string): ProgressBar {
  const isLong = label.length > LABEL_CHARACTERS;
  const shortLabel = isLong ? `${label.slice(0, LABEL_CHARACTERS - 1)}…` : label.padEnd(LABEL_CHARACTERS);
  const isLive = process.stdout.isTTY === true;
  const line = (share: number, note: string) => {
    const full = Math.round(CELLS * share);
    const bar = styleText("green", "█".repeat(full)) + styleText("gray", "░".repeat(CELLS - full));
    return `  ${shortLabel} ${bar}  ${note}`;
  };
  return {
    show: (done, total, note) => {
      if (isLive) process.stdout.write(`\r${line(total === 0 ? 0 : done / total, note)}\x1b[K`);
    },
    end: (note) => {
      process.stdout.write(`${isLive ? "\r" : ""}${line(1, note)}${isLive ? "\x1b[K" : ""}\n`);
    },
  };
}
