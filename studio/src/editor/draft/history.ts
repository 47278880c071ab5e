import type { Draft } from "./draft.ts";

/** A draft with what it was before and what was undone. */
export interface History {
  /** Oldest first. */
  readonly past: readonly Draft[];
  readonly present: Draft;
  /** What was undone last comes first. */
  readonly future: readonly Draft[];
  /** What the last change was of, and when, in ms: typing on in one field is one step. Null after any other. */
  readonly last: { readonly mark: string; readonly atMs: number } | null;
}

const STEPS_MAX = 60;
/** A pause of this length begins a new step. */
const PAUSE_MS = 1_200;

export const begin = (present: Draft): History => ({ past: [], present, future: [], last: null });

/**
 * The history after a change. Changes of one mark that follow one another without a pause are one step; a change without a
 * mark is a step of its own.
 */
export function change(history: History, present: Draft, mark: string | null, nowMs: number): History {
  if (present === history.present) return history;
  const { last } = history;
  const goesOn = mark !== null && last?.mark === mark && nowMs - last.atMs < PAUSE_MS;
  return {
    past: goesOn ? history.past : [...history.past, history.present].slice(-STEPS_MAX),
    present,
    future: [],
    last: mark === null ? null : { mark, atMs: nowMs },
  };
}

export function undo(history: History): History {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    last: null,
  };
}

export function redo(history: History): History {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, last: null };
}

/** The SHA-256 of every file that a step of the history shows. */
export const filesInUse = ({ past, present, future }: History): ReadonlySet<string> =>
  new Set(
    [...past, present, ...future].flatMap(({ files }) => Object.values(files).map(({ sha256 }) => sha256)),
  );
