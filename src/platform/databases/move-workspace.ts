import { copyClosed } from "./copy-after-writes-stop.ts";
import { announce, copyOpen } from "./copy-while-written.ts";
import { emptySource, undo } from "./leave-database.ts";
import type { MoveRun } from "./move-run.ts";
import type { Move } from "./move-store.ts";
import { openTarget } from "./open-target.ts";

/**
 * Moves a workspace from one database to another, in steps that may each be broken off anywhere and done again: how far it
 * has come stands in the databases alone. At every moment one of them, and no other, may be written to, or none is for as
 * long as the last differences take. See README.md.
 */

const isOver = async (): Promise<boolean> => false;

/** A step of each phase: true while there is something that this run may do. */
const STEPS: Readonly<Record<Move["phase"], (run: MoveRun) => Promise<boolean>>> = {
  asked: announce,
  copying: copyOpen,
  comparing: copyClosed,
  opening: openTarget,
  emptying: emptySource,
  undoing: undo,
  done: isOver,
  undone: isOver,
};

/** Goes as far as this run may. Returns how many rows it has written. */
export async function moveOn(run: MoveRun): Promise<number> {
  const before = run.move.rowsWritten;
  while (await STEPS[run.move.phase](run)) {
    // Each step stores what it has done.
  }
  return run.move.rowsWritten - before;
}
