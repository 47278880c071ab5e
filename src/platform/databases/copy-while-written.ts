import { LIMITS } from "#api/limits.ts";
import { clock } from "../clock.ts";
import { deleteAllChanges } from "./change-store.ts";
import { CHANGES_PER_PAGE, copyChanges } from "./copy-changes.ts";
import { BY_CHANGES, beginPass, type CopyPosition, OPEN_PASSES, readCopyPosition } from "./copy-position.ts";
import { doPage, FIRST_POSITION } from "./copy-rows.ts";
import { MoveError, type MoveRun } from "./move-run.ts";
import {
  announceMove,
  beginRow,
  endCopying,
  endMoving,
  insertForwarder,
  latestMove,
  sharedRow,
  workUnderWay,
} from "./move-store.ts";

/** The phases `asked` and `copying`: the workspace is copied while it is in use. */

/**
 * Maximum wait for running work before writes are refused. Work that still runs then is treated as crashed, and redone.
 */
const DRAIN_MS_MAX = 5 * 60_000;
/** After this time, no isolate has a key cached from before the announcement. */
const ANNOUNCED_MS_MIN = LIMITS.keyMemoryMs + 5_000;
/** A pass restarts after this many consecutive failures. */
const FAILURES_PER_RESTART = 10;
/** Pages between saved positions; a crashed run's unsaved pages are compared again. */
const PAGES_PER_SAVE = 20;

/**
 * Creates the workspace's row on the target as a forwarder to the source, and announces the move on the source. Batches
 * committed after the announcement record their writes (migrations/0030 and 0031); writes of earlier batches are read
 * by the passes.
 */
export async function announce(run: MoveRun): Promise<boolean> {
  const { moveId, workspaceId, source: home } = run.move;
  const { source, target } = run.sides;
  const shared = await sharedRow.first(source, { workspaceId });
  if (shared === null) throw new MoveError("the source has no such workspace");
  await target.batch([
    beginRow.bind(target, { workspaceId }),
    insertForwarder.bind(target, { workspaceId, row: shared.row, source: home }),
    endCopying.bind(target, {}),
  ]);
  const announcedAt = clock.now();
  if ((await announceMove.run(source, { workspaceId, moveId })) === 0) {
    throw new MoveError("the workspace does not live at the source");
  }
  try {
    await run.save({ phase: "copying", position: beginPass({ since: announcedAt, announcedAt }, 1) });
  } catch (thrown) {
    await withdraw(run);
    throw thrown;
  }
  return true;
}

/** Reverts an announcement that was written after its move had ended, since no later run would. */
async function withdraw({ move: { workspaceId }, databases, sides: { source } }: MoveRun): Promise<void> {
  const latest = await latestMove.first(databases.directory, { workspaceId });
  if (latest === null || latest.finishedAt === null) return;
  await source.batch([
    endMoving.bind(source, { workspaceId, since: 0 }),
    deleteAllChanges.bind(source, { workspaceId }),
  ]);
}

/** Copies while the workspace accepts writes. */
export async function copyOpen(run: MoveRun): Promise<boolean> {
  const position = readCopyPosition(run.move.position);
  if (position === null) throw new MoveError("a copy without a position");
  if (!run.mayContinue) {
    await run.save({ position });
    return false;
  }
  if (!run.isAdmitted(position.since)) {
    const { failures } = run.move;
    // A page that keeps failing may reference a row that was inserted in a page already copied.
    const at = failures > 0 && failures % FAILURES_PER_RESTART === 0 ? FIRST_POSITION : position.at;
    // The token is saved before it is used, so that no two runs share one.
    const since = Math.max(clock.now(), position.since + 1);
    await run.save({ failures, position: { ...position, since, at } });
    await run.admit(since);
    return true;
  }
  return position.pass <= OPEN_PASSES ? copyPass(run, position) : follow(run, position);
}

/** Copies one page of a pass over all rows. */
async function copyPass(run: MoveRun, position: CopyPosition): Promise<boolean> {
  const done = await doPage(run.copyOf(position.since), position.at, false);
  if (!done.isEnd) {
    await run.advance({ ...position, at: done.position }, done.rowsWritten, PAGES_PER_SAVE);
    return true;
  }
  await run.advance(beginPass(position, position.pass + 1), done.rowsWritten, 1);
  return true;
}

/** Copies one page of recorded changes. After the last page, begins to refuse writes if `mayClose`. */
async function follow(run: MoveRun, position: CopyPosition): Promise<boolean> {
  const limit = position.at.limit || CHANGES_PER_PAGE;
  const done = await copyChanges(run.copyOf(position.since), limit);
  const next = { ...position, at: { ...position.at, limit: done.limit } };
  if (!done.isLast) {
    await run.advance(next, done.rowsWritten, PAGES_PER_SAVE);
    return true;
  }
  if (await mayClose(run, position)) {
    // The token is saved first, so that after a crash the next run uses the same one.
    const since = Math.max(clock.now(), position.since + 1);
    const { announcedAt } = position;
    await run.save({
      phase: "comparing",
      frozenAt: since,
      position: beginPass({ since, announcedAt }, BY_CHANGES),
    });
    return true;
  }
  await run.advance(next, done.rowsWritten, 1);
  return false;
}

/** Whether writes may be refused: no isolate caches a key any more, and no work is running (until `DRAIN_MS_MAX`). */
async function mayClose(run: MoveRun, { announcedAt }: CopyPosition): Promise<boolean> {
  const nowMs = clock.now();
  const announcedMs = nowMs - announcedAt;
  if (announcedMs < ANNOUNCED_MS_MIN) return false;
  const { workspaceId } = run.move;
  const work = await workUnderWay.first(run.sides.source, { workspaceId, nowMs });
  return work === null || work.count === 0 || announcedMs >= DRAIN_MS_MAX;
}
