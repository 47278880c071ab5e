/** Formats figures for people; 1 KB is 1,000 bytes, as in the networks' limits. */
import { styleText } from "node:util";

export const formatBytes = (bytes: number): string =>
  bytes >= 1_000_000
    ? `${(bytes / 1_000_000).toFixed(1)} MB`
    : bytes >= 1_000
      ? `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} KB`
      : `${bytes} B`;

export const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Prints a finished step with a figure. */
export const printDone = (title: string, figure: string): void =>
  console.log(`${styleText("green", "✓")} ${title.padEnd(40)} ${figure}`);

/** Runs a step and prints its title with the duration. */
export type Step = <T>(title: string, work: () => Promise<T>) => Promise<T>;
