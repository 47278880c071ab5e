import { clock } from "../clock.ts";
import { deleteAllChanges } from "./change-store.ts";
import { deletePage } from "./copy-rows.ts";
import { listObjects } from "./list-objects.ts";
import { MoveError, type MoveRun } from "./move-run.ts";
import {
  beginAtHome,
  beginCopying,
  clearCredits,
  deleteMirroredMembers,
  endCopy,
  endCopying,
  endMoving,
  placeOf,
  resendOpenWork,
} from "./move-store.ts";
import { DIRECTORY } from "./shard-name.ts";

/** The phases `emptying` and `undoing`, which delete rows that no longer belong to the workspace. */

/** Deletes the source's rows, once no request reads them any more. */
export async function emptySource(run: MoveRun): Promise<boolean> {
  const { workspaceId, source: from, target: home, frozenAt, openedAt } = run.move;
  if (frozenAt === null || openedAt === null) throw new MoveError("a workspace that was never opened");
  if (clock.now() - openedAt < OLD_ROWS_KEPT_MS) return false;
  const { source: db } = run.sides;
  const since = frozenAt;
  if (run.move.position === null) {
    // Lists objects before they are deleted: links name this database, and payments in `DB` were never listed.
    await listObjects(run.databases.directory, db, workspaceId);
    await run.save({ position: { isListed: true } });
  }
  const isDone = await emptyPage({ workspaceId, db, home, since }, from !== DIRECTORY);
  if (isDone) await run.save({ phase: "done", position: null, finishedAt: clock.now() });
  return !isDone && run.mayContinue;
}

/** Abandons the copy; the workspace stays at the source. Only before the target is opened. */
export async function abandonCopy(run: MoveRun): Promise<boolean> {
  if (!["asked", "copying", "comparing"].includes(run.move.phase)) {
    throw new MoveError("the target is open: the move can only go on");
  }
  await run.save({ phase: "undoing", position: null });
  return true;
}

/** Opens the source again, and deletes the copy. */
export async function undo(run: MoveRun): Promise<boolean> {
  const { workspaceId, source: home, target: movingTo } = run.move;
  const { source, target } = run.sides;
  const place = await placeOf.first(source, { workspaceId });
  if (place === null || place.home !== null) throw new MoveError("the workspace does not live at the source");
  if (place.movingSince !== null) {
    const since = place.movingSince;
    await source.batch([
      beginAtHome.bind(source, { workspaceId, since }),
      ...resendOpenWork.map((resend) => resend.bind(source, { workspaceId })),
      endMoving.bind(source, { workspaceId, since }),
      deleteAllChanges.bind(source, { workspaceId }),
      endCopying.bind(source, {}),
    ]);
  } else if (place.movingTo !== null) {
    await source.batch([
      endMoving.bind(source, { workspaceId, since: 0 }),
      deleteAllChanges.bind(source, { workspaceId }),
    ]);
  }
  const copied = await placeOf.first(target, { workspaceId });
  let since = copied?.movingSince ?? 0;
  if (copied !== null && !run.isAdmitted(since)) {
    // Invalidates the token of a delayed attempt, so that it writes nothing after the deletion.
    since = Math.max(clock.now(), since + 1);
    await run.admit(since);
  }
  const isDone =
    copied === null || (await emptyPage({ workspaceId, db: target, home, since }, movingTo !== DIRECTORY));
  if (isDone) await run.save({ phase: "undone", position: null, finishedAt: clock.now() });
  return !isDone && run.mayContinue;
}

/** Deletes a page of rows that no longer belong to the workspace. Returns true once all are gone. */
async function emptyPage(
  place: { workspaceId: string; db: D1Database; home: string; since: number },
  hasMirroredPeople: boolean,
): Promise<boolean> {
  const { workspaceId, db, home, since } = place;
  // An earlier run may have deleted all rows without saving the end of the phase.
  const left = await placeOf.first(db, { workspaceId });
  if (left === null || left.movingTo === null || left.movingSince !== since) return true;
  if (await deletePage(place)) return false;
  await db.batch([
    beginCopying.bind(db, { workspaceId, home, since }),
    clearCredits.bind(db, { workspaceId }),
    ...(hasMirroredPeople ? [deleteMirroredMembers.bind(db, { workspaceId })] : []),
    endCopy.bind(db, { workspaceId, home, since }),
    deleteAllChanges.bind(db, { workspaceId }),
    endCopying.bind(db, {}),
  ]);
  return true;
}

/**
 * How long a workspace's rows stay in the database that it left, in ms. By then, requests routed there before the new
 * database opened have been answered.
 */
export const OLD_ROWS_KEPT_MS = 60_000;
