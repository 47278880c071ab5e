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

/** SQL of moves, and of the rows that say where a workspace lives. */

const isWorkspace = (given: Given<{ workspaceId: string }>) => eq(workspaces.workspaceId, given.workspaceId);

const shownMove = pick(
  workspaceMoves,
  ...(["moveId", "workspaceId", "source", "target", "phase", "position", "revision"] as const),
  ...(["frozenAt", "openedAt", "rowsWritten", "failures", "createdAt", "finishedAt"] as const),
);

/** Moves that are not over, the oldest first. */
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

/** Asks for a move, unless one of the workspace is under way. */
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

/** Where the directory says that a workspace lives. */
export const directoryEntry = statement((given: Given<{ workspaceId: string }>) =>
  query.from(workspaces, "workspaceId", "home").where(isWorkspace(given)),
);

type SavedMove = Pick<
  Move,
  "moveId" | "revision" | "phase" | "frozenAt" | "openedAt" | "rowsWritten" | "failures" | "finishedAt"
> & { readonly position: string | null };

/** Writes how far a move has come, unless another run has. */
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

/** Counts a run that failed. */
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

/** Where the workspace lives. */
const isAtHome = (given: Given<{ workspaceId: string }>) => and(isWorkspace(given), isNull(workspaces.home));

/** Where it lives and moves, as of that time. */
const isMovingAtHome = (given: Given<{ workspaceId: string; since: number }>) =>
  and(isAtHome(given), eq(workspaces.movingSince, given.since));

/**
 * On the source: it is to be moved. From then on no isolate remembers its keys. Never in place of a later move: the ids of
 * moves grow with time. A row of an earlier version names the target there, in two characters.
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

/** On the source: refuses writes, for the move that was announced and no earlier one. */
export const refuseWrites = statement((given: Given<Place & { moveId: string; since: number }>) =>
  query
    .update(workspaces)
    .set({ movingSince: given.since })
    .where(and(isAtHome(given), sql`${workspaces.movingTo} in (${given.moveId}, ${given.target})`)),
);

/** On the target: names the attempt at the copy that may write there, and whence it comes; never one before the last of any move. */
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

/** What a database says of where a workspace lives. */
export const placeOf = statement((given: Given<{ workspaceId: string }>) =>
  query.from(workspaces, "home", "movingTo", "movingSince").where(isWorkspace(given)),
);

/** What is attempted on rows whose workspace lives elsewhere: by whom, and on which side. */
interface Ticket {
  readonly workspaceId: string;
  /** Where the rows' database says that the workspace lives. */
  readonly home: string;
  readonly since: number;
}

/** Where it lives elsewhere, and the attempt is the one that may write. */
const holdsTicket = (given: Given<Ticket>) =>
  and(
    isWorkspace(given),
    eq(workspaces.home, given.home),
    isNotNull(workspaces.movingTo),
    eq(workspaces.movingSince, given.since),
  );

/** Names the workspace among those that are copied; fails where its row does not meet the condition. */
const insertCopyWhere = (condition: SQL | undefined): SQL =>
  sql`insert into ${workspaceCopies} values ((select ${workspaces.workspaceId} from ${workspaces} where ${condition}))`;

/**
 * Begins a batch that writes rows as they are. It fails where the database has it otherwise: a run that was held up for
 * long writes nothing any more.
 */
export const beginCopying = statement((given: Given<Ticket>) => insertCopyWhere(holdsTicket(given)));

/** As `beginCopying`, in a database where the workspace lives and moves. */
export const beginAtHome = statement((given: Given<{ workspaceId: string; since: number }>) =>
  insertCopyWhere(isMovingAtHome(given)),
);

/** As `beginCopying`, where there may be no row of the workspace yet. */
export const beginRow = statement((given: Given<{ workspaceId: string }>) =>
  query.insert(workspaceCopies).values({ workspaceId: given.workspaceId }),
);

export const endCopying = statement(() => query.delete(workspaceCopies));

/** What each database has of its own in the workspace's row. */
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

/** The workspace's row but for what each database has of its own, as JSON. */
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

/** Makes the workspace's row on the target, as one that lives at the source. It stays as it is where it is there. */
export const insertForwarder = statement(
  (given: Given<{ workspaceId: string; row: string; source: string }>) =>
    sql`insert into ${workspaces} (workspace_id, home, ${sql.join(names, sql`, `)})
      select ${given.workspaceId}, ${given.source}, ${sql.join(
        sharedColumns.map((_, place) => sql`row.shared ->> ${sql.raw(String(place))}`),
        sql`, `,
      )} from (select ${given.row} as shared) as row
      where not exists (select 1 from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId})`,
);

/** All but the name, which counts in the directory and may be changed there meanwhile: the mirror of people brings it. */
const overwritten = sharedColumns.flatMap(({ name }, place) =>
  name === "name" ? [] : [sql`${sql.identifier(name)} = row.shared ->> ${sql.raw(String(place))}`],
);

/** Writes the source's row over the target's, but for the name and for what each has of its own. */
export const updateSharedRow = statement(
  (given: Given<{ workspaceId: string; row: string }>) =>
    sql`update ${workspaces} set ${sql.join(overwritten, sql`, `)}
      from (select ${given.row} as shared) as row where ${workspaces.workspaceId} = ${given.workspaceId}`,
);

/** On the target: the workspace lives here. It is read here from now on, and nothing is written yet. */
export const settle = statement((given: Given<Ticket>) =>
  query.update(workspaces).set({ home: null }).where(holdsTicket(given)),
);

/** On the source: the workspace lives at the target. Its rows are still to be deleted. */
export const forward = statement((given: Given<Place & { since: number }>) =>
  query.update(workspaces).set({ home: given.target }).where(isMovingAtHome(given)),
);

/** In any third database: the workspace lives at the target. */
export const redirect = statement((given: Given<Place>) =>
  query
    .update(workspaces)
    .set({ home: given.target })
    .where(and(isWorkspace(given), isNotNull(workspaces.home), ne(workspaces.home, given.target))),
);

/** In the directory: the shard where the workspace lives has nothing of its people yet. */
export const mirrorAnew = statement((given: Given<{ workspaceId: string }>) =>
  query
    .update(workspaces)
    .set({ peopleMirrored: 0, peopleRevision: sql`max(${workspaces.peopleRevision}, 1)` })
    .where(isWorkspace(given)),
);

/** On a shard that it has left: who its people were. */
export const deleteMirroredMembers = statement((given: Given<{ workspaceId: string }>) =>
  query.delete(workspaceMembers).where(eq(workspaceMembers.workspaceId, given.workspaceId)),
);

/** The workspace may be written to where it lives. */
export const endMoving = statement((given: Given<{ workspaceId: string; since: number }>) =>
  query
    .update(workspaces)
    .set({ movingTo: null, movingSince: null })
    .where(and(isAtHome(given), or(isNull(workspaces.movingSince), eq(workspaces.movingSince, given.since)))),
);

/** The workspace's row is a forwarder with nothing behind it. `movingSince` stays: no attempt that was named before is admitted. */
export const endCopy = statement((given: Given<Ticket>) =>
  query.update(workspaces).set({ movingTo: null }).where(holdsTicket(given)),
);

/** A forwarder has no credits: its ledger is elsewhere. */
export const clearCredits = statement((given: Given<{ workspaceId: string }>) =>
  query.update(workspaces).set({ credits: 0 }).where(isWorkspace(given)),
);

/** Lets the sweep send the messages of what is open anew: those that came while it moved found nobody to take them. */
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

/** How much of the workspace is being worked on: outputs that are drawn, and deliveries that are sent. */
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

/** What must be equal on both sides, beside the rows themselves. */
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
