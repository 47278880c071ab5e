import { clock } from "../clock.ts";
import { log } from "../log/log.ts";
import { MoveError, type MoveRun } from "./move-run.ts";
import {
  beginAtHome,
  endCopying,
  endMoving,
  forward,
  makeHome,
  placeOf,
  redirect,
  resendOpenWork,
  resetMirror,
} from "./move-store.ts";
import { DIRECTORY } from "./shard-name.ts";

/** The phase `opening`. Until the source forwards, both sides are readable and neither is writable. */

export async function openTarget(run: MoveRun): Promise<boolean> {
  const { workspaceId, source: home, target: movingTo, frozenAt } = run.move;
  if (frozenAt === null) throw new MoveError("a workspace that was never closed");
  const { source, target } = run.sides;
  const { directory } = run.databases;
  // The source forwards only after the target has the workspace.
  if ((await makeHome.run(target, { workspaceId, home, since: frozenAt })) === 0) await checkSettled(run);
  await forward.run(source, { workspaceId, target: movingTo, since: frozenAt });
  if (home !== DIRECTORY && movingTo !== DIRECTORY) {
    await redirect.run(directory, { workspaceId, target: movingTo });
  }
  if (movingTo !== DIRECTORY) {
    await resetMirror.run(directory, { workspaceId });
    await mirrorToTarget(run);
  }
  if ((await checkSettled(run)).movingSince !== null) {
    const since = frozenAt;
    await target.batch([
      beginAtHome.bind(target, { workspaceId, since }),
      ...resendOpenWork.map((resend) => resend.bind(target, { workspaceId })),
      endMoving.bind(target, { workspaceId, since }),
      endCopying.bind(target, {}),
    ]);
  }
  await redirectShards(run);
  await run.save({ phase: "emptying", openedAt: clock.now(), position: null });
  return true;
}

/** The target's row of the workspace; throws if the workspace does not live there. */
async function checkSettled({ move: { workspaceId }, sides }: MoveRun) {
  const place = await placeOf.first(sides.target, { workspaceId });
  if (place === null || place.home !== null) throw new MoveError("the workspace does not live at the target");
  return place;
}

/**
 * Updates forwarders on third shards. They lead to the source, which forwards, so this may happen after the opening.
 */
async function redirectShards({ move, databases }: MoveRun): Promise<void> {
  const { workspaceId, source, target } = move;
  for (const [name, db] of databases.shards) {
    if (name !== source && name !== target) await redirect.run(db, { workspaceId, target });
  }
}

/** Copies the accounts to the target before it accepts writes. After a failure the sweep does it. */
async function mirrorToTarget(run: MoveRun): Promise<void> {
  const { workspaceId } = run.move;
  try {
    await run.mirrorPeople(workspaceId, run.databases);
  } catch (thrown) {
    log.failure({ event: "people_not_mirrored", workspaceId }, thrown);
  }
}
