import type { Kind } from "../kinds.ts";

/** What a cell is to go through: mutations by number, the kinds taking turns, or hand-made bombs by their place in the list. */
export type CellWork =
  | { readonly mode: "mutations"; readonly kinds: readonly Kind[]; readonly seed: number }
  | { readonly mode: "bombs"; readonly isQuick: boolean };

export interface CellJob {
  readonly work: CellWork;
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

/** How a file broke its promise. */
export interface Finding {
  readonly index: number;
  readonly name: string;
  readonly fault: "hung" | "escaped" | "memory" | "spoilt" | "unexpected";
  readonly detail: string;
}

export interface CellReport {
  /** The first file that was not gone through: a cell ends early when a file spoilt it. */
  readonly next: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  readonly slowest: { readonly name: string; readonly cpuMs: number };
  readonly wasmBytesPeak: number;
  readonly residentGrowthBytesPeak: number;
}

/** Messages of the cell's thread to its watch. */
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
