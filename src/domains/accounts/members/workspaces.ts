import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { WorkspaceView } from "#api/schemas/workspace.ts";
import type { IdempotencyClaim } from "#domains/idempotency/claim.ts";
import { rememberStatements } from "#domains/idempotency/store.ts";
import { insertWorkspace } from "#domains/workspaces/store.ts";
import { toTimestamp } from "#platform/clock.ts";
import { chooseHome } from "#platform/databases/choose-shard.ts";
import type { Databases } from "#platform/databases/databases.ts";
import { beginRow, endCopying } from "#platform/databases/move-store.ts";
import { entryHome } from "#platform/databases/shard-name.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import {
  assertWorkspaceLimit,
  insertMember,
  type JoinedWorkspace,
  renameAtHome,
  renameEntry,
  workspacesByAccount,
} from "./membership-store.ts";

/** The account's workspaces, owned or joined, newest first. */
export const listWorkspaces = (db: D1Database, accountId: string): Promise<readonly JoinedWorkspace[]> =>
  workspacesByAccount.all(latest(db), {
    accountId,
    workspaceId: null,
    limit: LIMITS.membershipsPerAccountMax,
  });

/** One of the account's workspaces. 404 WORKSPACE_NOT_FOUND. */
export async function getWorkspace(
  db: D1Database,
  accountId: string,
  workspaceId: string,
): Promise<Outcome<JoinedWorkspace>> {
  const workspace = await workspacesByAccount.first(latest(db), { accountId, workspaceId, limit: 1 });
  return workspace === null
    ? refuse("WORKSPACE_NOT_FOUND", "The account has no workspace with this id.")
    : accept(workspace);
}

/** Creates a workspace without credits, owned by the account. 409 WORKSPACE_LIMIT_REACHED. */
export async function createOwnWorkspace(
  databases: Databases,
  claim: IdempotencyClaim,
  accountId: string,
  name: string,
): Promise<Outcome<JoinedWorkspace>> {
  const { directory: db } = databases;
  const workspaceId = newId();
  const { nowMs } = claim;
  const home = await chooseHome(databases);
  const workspace = { workspaceId, name, kind: "standard" as const, createdAt: nowMs, expiresAt: null };
  try {
    await db.batch([
      ...rememberStatements(db, claim, workspaceId, LIMITS.idempotencyRetentionMs),
      assertWorkspaceLimit.bind(db, {
        accountId,
        ownedMax: LIMITS.workspacesPerAccountMax,
        joinedMax: LIMITS.membershipsPerAccountMax,
      }),
      // If the home is a shard, this inserts only the directory entry; `mirrorPeople` creates the workspace there.
      insertWorkspace.bind(db, { ...workspace, hasUnlimitedAccess: false, home: entryHome(home) }),
      insertMember.bind(db, { workspaceId, accountId, role: "owner", createdAt: nowMs }),
    ]);
  } catch (thrown) {
    if (!isGuardViolation(thrown, "workspace_limit")) throw thrown;
    return refuse(
      "WORKSPACE_LIMIT_REACHED",
      `An account owns at most ${LIMITS.workspacesPerAccountMax} workspaces.`,
    );
  }
  return accept({ workspaceId, name, role: "owner", createdAt: nowMs });
}

/**
 * Renames a workspace and returns it as the account sees it. `DB` has the authoritative name; the mirror copies it to a
 * shard. Throws an error that `isMovingError` recognizes while a workspace of `DB` is being moved. 404
 * WORKSPACE_NOT_FOUND.
 */
export async function renameWorkspace(
  db: D1Database,
  accountId: string,
  workspaceId: string,
  name: string,
): Promise<Outcome<JoinedWorkspace>> {
  const renamed = { workspaceId, name };
  // One of the two statements changes a row, even if the workspace has just moved.
  await db.batch([
    beginRow.bind(db, renamed),
    renameEntry.bind(db, renamed),
    endCopying.bind(db, {}),
    renameAtHome.bind(db, renamed),
  ]);
  return getWorkspace(db, accountId, workspaceId);
}

export const presentWorkspace = ({ createdAt, ...workspace }: JoinedWorkspace): WorkspaceView => ({
  ...workspace,
  createdAt: toTimestamp(createdAt),
});
