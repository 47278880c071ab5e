import { newId } from "../ids.ts";
import { log } from "../log/log.ts";
import { copyWhileRefusing } from "./copy-after-writes-stop.ts";
import { announce, copyOpen } from "./copy-while-written.ts";
import { type Databases, databaseOf } from "./databases.ts";
import { abandonCopy, emptySource, undo } from "./leave-database.ts";
import { type MirrorPeople, MoveRun } from "./move-run.ts";
import { countFailure, directoryEntry, insertMove, latestMove, type Move, openMoves } from "./move-store.ts";
import { openTarget } from "./open-target.ts";
import { DIRECTORY, type Home, isShardName } from "./shard-name.ts";

/** Moves per run; further moves wait until these are finished. */
const MOVES_PER_RUN = 10;
/**
 * Number of statements after which a run starts no further page. Refusing writes and opening the target may exceed it,
 * but with the rest of the sweep they stay below an invocation's thousand queries.
 */
const STATEMENTS_PER_RUN = 240;
/** Consecutive failures before a copy is abandoned; fewer while writes are refused. */
const FAILURES_MAX = { open: 30, closed: 3 } as const;

const failuresMax = ({ phase }: Move): number =>
  phase === "comparing" ? FAILURES_MAX.closed : FAILURES_MAX.open;

async function runMove(run: MoveRun, move: Move): Promise<number> {
  const mayAbandon = ["asked", "copying", "comparing"].includes(move.phase);
  if (mayAbandon && move.failures >= failuresMax(move)) await abandonCopy(run);
  return continueMove(run);
}

/**
 * Continues the moves that operators requested. Returns the number of written rows. A failed move does not block
 * others.
 */
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

/** Why a move cannot be requested. */
export type MoveRefusal = "no such workspace" | "not bound" | "lives there" | "is moving";

/** Requests a move for the sweep. Returns the move, or why it is refused. */
export async function requestMove(
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
 * Moves a workspace between databases, in steps that may be interrupted anywhere and repeated: all progress is in the
 * databases. At any moment at most one database accepts writes; none does while the last differences are copied. See
 * README.md.
 */

const isOver = async (): Promise<boolean> => false;

/** The step of each phase. Returns true if this run may continue. */
const STEPS: Readonly<Record<Move["phase"], (run: MoveRun) => Promise<boolean>>> = {
  asked: announce,
  copying: copyOpen,
  comparing: copyWhileRefusing,
  opening: openTarget,
  emptying: emptySource,
  undoing: undo,
  done: isOver,
  undone: isOver,
};

/** Runs steps until this run must stop. Returns the number of written rows. */
async function continueMove(run: MoveRun): Promise<number> {
  const before = run.move.rowsWritten;
  while (await STEPS[run.move.phase](run)) {
    // Each step saves its progress.
  }
  return run.move.rowsWritten - before;
}
