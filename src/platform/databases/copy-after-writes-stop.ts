import { log } from "../log/log.ts";
import { CHANGES_PER_PAGE, copyChanges } from "./copy-changes.ts";
import { BY_CHANGES, beginPass, type CopyPosition, isFirst, readCopyPosition } from "./copy-position.ts";
import { copyLate, doPage } from "./copy-rows.ts";
import { type Copy, PREPARED } from "./copy-statements.ts";
import { abandonCopy } from "./leave-database.ts";
import { MoveError, type MoveRun } from "./move-run.ts";
import {
  beginCopying,
  endCopying,
  ledgerSum,
  refuseWrites,
  sharedRow,
  updateSharedRow,
} from "./move-store.ts";

/** The phase `comparing`: writes are refused while the copy is completed. */

/** Maximum passes over all rows while writes are refused. The second changes nothing unless something is wrong. */
const CLOSED_PASSES_MAX = 4;
/** Pages between saved positions; a crashed run's unsaved pages are compared again. */
const PAGES_PER_SAVE = 20;

/**
 * Copies the last recorded changes and the late groups (`isLate`) without pause, then counts the rows of both sides. If
 * the counts differ, runs passes over all rows until one changes nothing.
 */
export async function copyWhileRefusing(run: MoveRun): Promise<boolean> {
  const position = readCopyPosition(run.move.position);
  if (position === null) throw new MoveError("a copy without a position");
  const { since, pass } = position;
  if (pass > CLOSED_PASSES_MAX) return abandonCopy(run);
  if (isFirst(position.at)) await startRefusingWrites(run, since);
  if (pass === BY_CHANGES) return copyLast(run, position);
  return comparePage(run, position);
}

/** Refuses writes, and copies the workspace's own row. */
async function startRefusingWrites(run: MoveRun, since: number): Promise<void> {
  const { moveId, workspaceId, target: movingTo } = run.move;
  const { source, target } = run.sides;
  if ((await refuseWrites.run(source, { moveId, workspaceId, target: movingTo, since })) === 0) {
    throw new MoveError("the workspace does not live at the source");
  }
  await run.admit(since);
  const shared = await sharedRow.first(source, { workspaceId });
  if (shared === null) throw new MoveError("the source has no such workspace");
  await target.batch([
    beginCopying.bind(target, run.copyOf(since)),
    updateSharedRow.bind(target, { workspaceId, row: shared.row }),
    endCopying.bind(target, {}),
  ]);
}

/** Copies the last changes. The number of queries depends only on rows that were written after they were copied. */
async function copyLast(run: MoveRun, position: CopyPosition): Promise<boolean> {
  const copy = run.copyOf(position.since);
  let rowsWritten = 0;
  for (let limit = CHANGES_PER_PAGE, isLast = false; !isLast; ) {
    const done = await copyChanges(copy, limit);
    rowsWritten += done.rowsWritten;
    ({ limit, isLast } = done);
  }
  rowsWritten += await copyLate(copy);
  const isEqual = await areCountsEqual(copy);
  if (!isEqual) log.failure({ event: "move_counts_differ", workspaceId: copy.workspaceId });
  await run.save({
    phase: isEqual ? "opening" : "comparing",
    position: isEqual ? null : beginPass(position, 1),
    rowsWritten: run.move.rowsWritten + rowsWritten,
  });
  return true;
}

/** Whether both sides have the same row counts per table, and the same ledger sum. */
async function areCountsEqual({ workspaceId, source, target }: Copy): Promise<boolean> {
  const countsIn = async (db: D1Database): Promise<string> => {
    const results = await db.batch([
      ledgerSum.bind(db, { workspaceId }),
      ...PREPARED.map(({ statements }) => statements.counts.bind(db, { workspaceId })),
    ]);
    const counts = PREPARED.map(({ statements }, at) => statements.counts.row(results[at + 1]));
    return JSON.stringify([ledgerSum.row(results[0]), ...counts]);
  };
  const [one, other] = await Promise.all([countsIn(source), countsIn(target)]);
  return one === other;
}

/** One page of a pass over all rows. */
async function comparePage(run: MoveRun, position: CopyPosition): Promise<boolean> {
  const { workspaceId } = run.move;
  const { position: at, isEnd, rowsWritten } = await doPage(run.copyOf(position.since), position.at, true);
  if (!isEnd) {
    await run.advance({ ...position, at }, rowsWritten, run.mayContinue ? PAGES_PER_SAVE : 1);
    return run.mayContinue;
  }
  if (at.changed > 0) {
    await run.advance(beginPass(position, position.pass + 1), rowsWritten, 1);
    return true;
  }
  const { source, target } = run.sides;
  const [one, other] = await Promise.all([
    ledgerSum.first(source, { workspaceId }),
    ledgerSum.first(target, { workspaceId }),
  ]);
  if (JSON.stringify(one) !== JSON.stringify(other)) return abandonCopy(run);
  await run.save({ phase: "opening", position: null });
  return true;
}
