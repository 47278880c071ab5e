import type { Kind } from "../kinds.ts";

/** The files of a cell: mutations by number, with alternating kinds, or hand-made bombs by their index. */
export type CellWork =
  | { readonly mode: "mutations"; readonly kinds: readonly Kind[]; readonly seed: number }
  | { readonly mode: "bombs"; readonly isQuick: boolean };

export interface CellJob {
  readonly work: CellWork;
  readonly from: number;
  /** End of the range, exclusive. */
  readonly to: number;
}

/** How a file broke a guarantee. */
export interface Finding {
  readonly index: number;
  readonly name: string;
  readonly fault: "hung" | "escaped" | "memory" | "spoilt" | "unexpected";
  readonly detail: string;
}

export interface CellReport {
  /** Number of the first file that was not read, because a cell ends early after a harmful file. */
  readonly next: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  readonly slowest: { readonly name: string; readonly cpuMs: number };
  readonly wasmBytesPeak: number;
  readonly residentGrowthBytesPeak: number;
}

/** Messages from the cell's thread to its watchdog. */
export type ThreadMessage =
  | { readonly type: "ready" }
  | { readonly type: "begun"; readonly index: number; readonly name: string; readonly cpuMsMax: number }
  | {
      readonly type: "ended";
      readonly index: number;
      readonly name: string;
      readonly outcome: string;
      readonly cpuMs: number;
      readonly wasmBytes: number;
      readonly residentGrowthBytes: number;
      readonly findings: readonly Finding[];
    }
  | { readonly type: "done" };
