import { and, asc, eq, getTableColumns, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import {
  assetImports,
  deliveries,
  jobParts,
  jobs,
  ledgerEvents,
  workspaceCopies,
  workspaceMembers,
  workspaceMoves,
  workspaces,
} from "../db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "../db/statement.ts";
import { pick } from "../pick-members.ts";

/** SQL of moves, and of the rows that store where a workspace lives. */

const isWorkspace = (given: Given<{ workspaceId: string }>) => eq(workspaces.workspaceId, given.workspaceId);

const shownMove = pick(
  workspaceMoves,
  ...(["moveId", "workspaceId", "source", "target", "phase", "position", "revision"] as const),
  ...(["frozenAt", "openedAt", "rowsWritten", "failures", "createdAt", "finishedAt"] as const),
);

/** Unfinished moves, oldest first. */
export const openMoves = statement((given: Given<{ limit: number }>) =>
  query
    .read(workspaceMoves, shownMove)
    .where(isNull(workspaceMoves.finishedAt))
    .orderBy(asc(workspaceMoves.createdAt), asc(workspaceMoves.moveId))
    .limit(given.limit),
);

export type Move = RowOf<typeof openMoves>;

/** The latest move of a workspace. */
export const latestMove = statement((given: Given<{ workspaceId: string }>) =>
  query
    .read(workspaceMoves, shownMove)
    .where(eq(workspaceMoves.workspaceId, given.workspaceId))
    .orderBy(sql`${workspaceMoves.createdAt} desc, ${workspaceMoves.moveId} desc`)
    .limit(1),
);

/** Requests a move, unless the workspace has an unfinished one. */
export const insertMove = statement(
  (
    given: Given<{ moveId: string; workspaceId: string; source: string; target: string; createdAt: number }>,
  ) =>
    query
      .insert(workspaceMoves)
      .values({
        ...pick(given, "moveId", "workspaceId", "source", "target", "createdAt"),
        phase: "asked",
      })
      .onConflictDoNothing(),
);

/** The workspace's home in the directory. */
export const directoryEntry = statement((given: Given<{ workspaceId: string }>) =>
  query.from(workspaces, "workspaceId", "home").where(isWorkspace(given)),
);

type SavedMove = Pick<
  Move,
  "moveId" | "revision" | "phase" | "frozenAt" | "openedAt" | "rowsWritten" | "failures" | "finishedAt"
> & { readonly position: string | null };

/** Saves a move's progress, unless another run has. */
export const saveMove = statement((given: Given<SavedMove>) =>
  query
    .update(workspaceMoves)
    .set({
      ...pick(given, "phase", "frozenAt", "openedAt", "rowsWritten", "failures", "finishedAt"),
      position: sql`${given.position}`,
      revision: sql`${workspaceMoves.revision} + 1`,
    })
    .where(matches(workspaceMoves, pick(given, "moveId", "revision"))),
);

/** Counts a failed run. */
export const countFailure = statement((given: Given<{ moveId: string }>) =>
  query
    .update(workspaceMoves)
    .set({ failures: sql`${workspaceMoves.failures} + 1` })
    .where(eq(workspaceMoves.moveId, given.moveId)),
);

interface Place {
  readonly workspaceId: string;
  readonly target: string;
}

/** The workspace lives in this database. */
const isAtHome = (given: Given<{ workspaceId: string }>) => and(isWorkspace(given), isNull(workspaces.home));

/** The workspace lives in this database, which has refused its writes since the time `since`. */
const isMovingAtHome = (given: Given<{ workspaceId: string; since: number }>) =>
  and(isAtHome(given), eq(workspaces.movingSince, given.since));

/**
 * On the source: announces the move, so that isolates stop caching the workspace's keys. Never replaces a later move:
 * ids of moves increase with time. Earlier versions stored the target here, in two characters.
 */
export const announceMove = statement((given: Given<{ workspaceId: string; moveId: string }>) =>
  query
    .update(workspaces)
    .set({ movingTo: given.moveId })
    .where(
      and(
        isAtHome(given),
        sql`(${workspaces.movingTo} is null or length(${workspaces.movingTo}) = 2 or ${workspaces.movingTo} <= ${given.moveId})`,
      ),
    ),
);

/** On the source: refuses writes, only for the announced move. */
export const refuseWrites = statement((given: Given<Place & { moveId: string; since: number }>) =>
  query
    .update(workspaces)
    .set({ movingSince: given.since })
    .where(and(isAtHome(given), sql`${workspaces.movingTo} in (${given.moveId}, ${given.target})`)),
);

/** On the target: stores the source, and the fencing token of the run that may write. Never stores an older token. */
export const admitCopy = statement((given: Given<Place & { source: string; since: number }>) =>
  query
    .update(workspaces)
    .set({ home: given.source, movingTo: given.target, movingSince: given.since })
    .where(
      and(
        isWorkspace(given),
        isNotNull(workspaces.home),
        or(isNull(workspaces.movingSince), lte(workspaces.movingSince, given.since)),
      ),
    ),
);

/** A workspace's home and move, as stored in this database. */
export const placeOf = statement((given: Given<{ workspaceId: string }>) =>
  query.from(workspaces, "home", "movingTo", "movingSince").where(isWorkspace(given)),
);

/** A fencing token for writes to a database that is not the workspace's home. */
interface FencingToken {
  readonly workspaceId: string;
  /** The home that this database's row of the workspace names. */
  readonly home: string;
  readonly since: number;
}

/** The workspace lives elsewhere, and the token is current. */
const hasFencingToken = (given: Given<FencingToken>) =>
  and(
    isWorkspace(given),
    eq(workspaces.home, given.home),
    isNotNull(workspaces.movingTo),
    eq(workspaces.movingSince, given.since),
  );

/** Inserts the workspace into `workspace_copies`; fails if its row does not meet the condition. */
const insertCopyWhere = (condition: SQL | undefined): SQL =>
  sql`insert into ${workspaceCopies} values ((select ${workspaces.workspaceId} from ${workspaces} where ${condition}))`;

/**
 * Begins a batch that writes rows without triggers. Fails without the current fencing token, so that a delayed run
 * writes nothing.
 */
export const beginCopying = statement((given: Given<FencingToken>) =>
  insertCopyWhere(hasFencingToken(given)),
);

/** Like `beginCopying`, in the workspace's own database while it moves. */
export const beginAtHome = statement((given: Given<{ workspaceId: string; since: number }>) =>
  insertCopyWhere(isMovingAtHome(given)),
);

/** Like `beginCopying`, for a target that may have no row of the workspace yet. */
export const beginRow = statement((given: Given<{ workspaceId: string }>) =>
  query.insert(workspaceCopies).values({ workspaceId: given.workspaceId }),
);

export const endCopying = statement(() => query.delete(workspaceCopies));

/** Columns of the workspace's row that differ by database. */
const OWN_COLUMNS = new Set([
  "workspace_id",
  "home",
  "moving_to",
  "moving_since",
  "people_revision",
  "people_mirrored",
]);

const sharedColumns = Object.values(getTableColumns(workspaces)).filter(({ name }) => !OWN_COLUMNS.has(name));
const names = sharedColumns.map(({ name }) => sql.identifier(name).getSQL());

/** The shared columns of the workspace's row, as JSON. */
export const sharedRow = statement((given: Given<{ workspaceId: string }>) =>
  query
    .read(workspaces, {
      row: sql<string>`json_array(${sql.join(
        sharedColumns.map((column) => sql`${column}`),
        sql`, `,
      )})`,
    })
    .where(isWorkspace(given)),
);

/** Creates the workspace's row on the target as a forwarder to the source. Leaves an existing row unchanged. */
export const insertForwarder = statement(
  (given: Given<{ workspaceId: string; row: string; source: string }>) =>
    sql`insert into ${workspaces} (workspace_id, home, ${sql.join(names, sql`, `)})
      select ${given.workspaceId}, ${given.source}, ${sql.join(
        sharedColumns.map((_, place) => sql`row.shared ->> ${sql.raw(String(place))}`),
        sql`, `,
      )} from (select ${given.row} as shared) as row
      where not exists (select 1 from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId})`,
);

/** The shared columns without the name, which may change during the move and is copied by the mirror of accounts. */
const overwritten = sharedColumns.flatMap(({ name }, place) =>
  name === "name" ? [] : [sql`${sql.identifier(name)} = row.shared ->> ${sql.raw(String(place))}`],
);

/** Overwrites the shared columns of the target's row, except the name. */
export const updateSharedRow = statement(
  (given: Given<{ workspaceId: string; row: string }>) =>
    sql`update ${workspaces} set ${sql.join(overwritten, sql`, `)}
      from (select ${given.row} as shared) as row where ${workspaces.workspaceId} = ${given.workspaceId}`,
);

/** On the target: makes it the workspace's home. Reads are served here from now on; writes are still refused. */
export const makeHome = statement((given: Given<FencingToken>) =>
  query.update(workspaces).set({ home: null }).where(hasFencingToken(given)),
);

/** On the source: forwards to the target. Its rows are deleted later. */
export const forward = statement((given: Given<Place & { since: number }>) =>
  query.update(workspaces).set({ home: given.target }).where(isMovingAtHome(given)),
);

/** In any third database: forwards to the target. */
export const redirect = statement((given: Given<Place>) =>
  query
    .update(workspaces)
    .set({ home: given.target })
    .where(and(isWorkspace(given), isNotNull(workspaces.home), ne(workspaces.home, given.target))),
);

/** In the directory: marks the accounts of the workspace as not yet mirrored. */
export const resetMirror = statement((given: Given<{ workspaceId: string }>) =>
  query
    .update(workspaces)
    .set({ peopleMirrored: 0, peopleRevision: sql`max(${workspaces.peopleRevision}, 1)` })
    .where(isWorkspace(given)),
);

/** On a shard that the workspace has left: deletes the mirrored members. */
export const deleteMirroredMembers = statement((given: Given<{ workspaceId: string }>) =>
  query.delete(workspaceMembers).where(eq(workspaceMembers.workspaceId, given.workspaceId)),
);

/** Allows writes in the workspace's home. */
export const endMoving = statement((given: Given<{ workspaceId: string; since: number }>) =>
  query
    .update(workspaces)
    .set({ movingTo: null, movingSince: null })
    .where(and(isAtHome(given), or(isNull(workspaces.movingSince), eq(workspaces.movingSince, given.since)))),
);

/**
 * Ends the copy: this database keeps the workspace's row as a forwarder. `movingSince` stays, so that no earlier token
 * is accepted.
 */
export const endCopy = statement((given: Given<FencingToken>) =>
  query.update(workspaces).set({ movingTo: null }).where(hasFencingToken(given)),
);

/** A forwarder has no credits; its ledger is elsewhere. */
export const clearCredits = statement((given: Given<{ workspaceId: string }>) =>
  query.update(workspaces).set({ credits: 0 }).where(isWorkspace(given)),
);

/** Marks open work as unsent for the sweep, because messages that arrived during the move had no effect. */
export const resendOpenWork = [
  statement((given: Given<{ workspaceId: string }>) =>
    query
      .update(jobs)
      .set({ dispatchedAt: null })
      .where(and(eq(jobs.workspaceId, given.workspaceId), sql`${jobs.status} in ('queued', 'running')`)),
  ),
  statement((given: Given<{ workspaceId: string }>) =>
    query
      .update(deliveries)
      .set({ dispatchedAt: null })
      .where(
        and(eq(deliveries.workspaceId, given.workspaceId), sql`${deliveries.nextAttemptAt} is not null`),
      ),
  ),
  statement((given: Given<{ workspaceId: string }>) =>
    query
      .update(assetImports)
      .set({ dispatchedAt: null })
      .where(eq(assetImports.workspaceId, given.workspaceId)),
  ),
] as const;

/** Number of parts being drawn and deliveries being sent. */
export const workUnderWay = statement((given: Given<{ workspaceId: string; nowMs: number }>) =>
  query
    .read(workspaces, {
      count: sql<number>`(select count(*) from ${jobs} join ${jobParts} on ${jobParts.jobId} = ${jobs.jobId}
          where ${jobs.workspaceId} = ${given.workspaceId} and ${jobs.status} = 'running'
            and ${jobParts.leaseUntil} > ${given.nowMs})
        + (select count(*) from ${deliveries} where ${deliveries.workspaceId} = ${given.workspaceId}
          and ${deliveries.status} = 'running' and ${deliveries.nextAttemptAt} > ${given.nowMs})`,
    })
    .where(isWorkspace(given)),
);

/** Credits, and number and sum of ledger events. Like the row counts, they must be equal on both sides. */
export const ledgerSum = statement((given: Given<{ workspaceId: string }>) =>
  query
    .read(workspaces, {
      credits: workspaces.credits,
      events: sql<number>`(select count(*) from ${ledgerEvents} where ${ledgerEvents.workspaceId} = ${given.workspaceId})`,
      sum: sql<number>`(select coalesce(sum(${ledgerEvents.amount}), 0) from ${ledgerEvents}
        where ${ledgerEvents.workspaceId} = ${given.workspaceId} and ${ledgerEvents.source} = 'credits')`,
    })
    .where(isWorkspace(given)),
);
