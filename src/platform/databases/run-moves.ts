import { newId } from "../ids.ts";
import { log } from "../log/log.ts";
import { copyClosed } from "./copy-after-writes-stop.ts";
import { announce, copyOpen } from "./copy-while-written.ts";
import { type Databases, databaseOf } from "./databases.ts";
import { emptySource, giveUp, undo } from "./leave-database.ts";
import { type MirrorPeople, MoveRun } from "./move-run.ts";
import { countFailure, directoryEntry, insertMove, latestMove, type Move, openMoves } from "./move-store.ts";
import { openTarget } from "./open-target.ts";
import { DIRECTORY, type Home, isShardName } from "./shard-name.ts";

/** Moves that are looked at in a run; the others wait until these are over. */
const MOVES_PER_RUN = 10;
/**
 * Statements after which a run of all moves begins no other page. What closes and opens a workspace goes on behind it: with the
 * sweep beside them, fewer than the thousand queries that an invocation has.
 */
const STATEMENTS_PER_RUN = 240;
/** Runs that may fail in a row before a copy is given up: fewer while writes are refused. */
const FAILURES_MAX = { open: 30, closed: 3 } as const;

const failuresMax = ({ phase }: Move): number =>
  phase === "comparing" ? FAILURES_MAX.closed : FAILURES_MAX.open;

async function runMove(run: MoveRun, move: Move): Promise<number> {
  const mayGiveUp = ["asked", "copying", "comparing"].includes(move.phase);
  if (mayGiveUp && move.failures >= failuresMax(move)) await giveUp(run);
  return moveOn(run);
}

/** Moves on what operators have asked for. Returns how many rows were written. One that fails holds up no other. */
export async function runMoves(databases: Databases, mirrorPeople: MirrorPeople): Promise<number> {
  const { directory } = databases;
  let count = 0;
  const budget = { left: STATEMENTS_PER_RUN };
  for (const move of await openMoves.all(directory, { limit: MOVES_PER_RUN })) {
    if (budget.left <= 0) break;
    try {
      count += await runMove(new MoveRun(databases, mirrorPeople, move, budget), move);
    } catch (thrown) {
      log.failure(
        {
          event: "move_failed",
          workspaceId: move.workspaceId,
          attempt: move.failures + 1,
        },
        thrown,
      );
      await countFailure.run(directory, { moveId: move.moveId });
    }
  }
  return count;
}

/** Why a move cannot be asked for. */
export type MoveRefusal = "no such workspace" | "not bound" | "lives there" | "is moving";

/** Asks for a move, which the sweep then does. Returns the move, or why there is none. */
export async function askMove(
  databases: Databases,
  { workspaceId, target, nowMs }: { workspaceId: string; target: Home; nowMs: number },
): Promise<Move | MoveRefusal> {
  const { directory } = databases;
  const entry = await directoryEntry.first(directory, { workspaceId });
  if (entry === null) return "no such workspace";
  const source = entry.home ?? DIRECTORY;
  if (databaseOf(databases, target) === null) return "not bound";
  if (source === target) return "lives there";
  if (source !== DIRECTORY && !isShardName(source)) return "not bound";
  const asked = await insertMove.run(directory, {
    moveId: newId(),
    workspaceId,
    source,
    target,
    createdAt: nowMs,
  });
  const move = await latestMove.first(directory, { workspaceId });
  return asked === 0 || move === null ? "is moving" : move;
}

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
async function moveOn(run: MoveRun): Promise<number> {
  const before = run.move.rowsWritten;
  while (await STEPS[run.move.phase](run)) {
    // Each step stores what it has done.
  }
  return run.move.rowsWritten - before;
}
