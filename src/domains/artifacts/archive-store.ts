import { and, eq, gt, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { artifacts, jobs } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of archiving packs, and of their stubs. */

/**
 * True when the pack's files were deleted and its row is not archived yet; written exactly as in the partial index
 * `artifacts_old`.
 */
const isWhole = sql`${artifacts.filesDeletedAt} is not null and ${artifacts.files} <> '[]'`;

/** UTC day on which the pack's files were deleted, in whole days since 1970; written as in the index. */
const dayOfDeletion = sql<number>`${artifacts.filesDeletedAt} / 86400000`;

/** Packs of a workspace whose files were deleted on one day. */
export interface PackGroup {
  readonly day: number;
  readonly workspaceId: string;
}

/** The first group that matches the condition, in the given order, which must be that of the index. */
const firstGroup = (condition: SQL | undefined, ...order: readonly (SQL | SQLiteColumn)[]) =>
  query
    .read(artifacts, { day: dayOfDeletion, workspaceId: artifacts.workspaceId })
    .where(and(isWhole, condition, isNotMoving(artifacts.workspaceId)))
    .orderBy(...order)
    .limit(1);

export const nextGroupOfDay = statement((given: Given<PackGroup>) =>
  firstGroup(
    and(eq(dayOfDeletion, given.day), gt(artifacts.workspaceId, given.workspaceId)),
    artifacts.workspaceId,
  ),
);

/** The first group of the days after `day` and before `dueDay`. */
export const nextGroupOfDays = statement((given: Given<{ day: number; dueDay: number }>) =>
  firstGroup(
    and(gt(dayOfDeletion, given.day), lt(dayOfDeletion, given.dueDay)),
    dayOfDeletion,
    artifacts.workspaceId,
  ),
);

const isInGroup = (given: Given<PackGroup>) =>
  and(isWhole, eq(dayOfDeletion, given.day), eq(artifacts.workspaceId, given.workspaceId));

const inRowOrder = sql.raw('"artifacts"."rowid"');

/** The first packs of a group, each with the approximate number of bytes to archive. */
export const packsOfGroup = statement((given: Given<PackGroup & { limit: number }>) =>
  query
    .read(artifacts, {
      artifactId: artifacts.artifactId,
      byteLength: sql<number>`octet_length(${artifacts.files}) + coalesce(octet_length(${artifacts.fileDetails}), 0)
        + octet_length(${jobs.copy}) + octet_length(${jobs.overrides})`,
    })
    .innerJoin(jobs, eq(jobs.jobId, artifacts.jobId))
    .where(isInGroup(given))
    .orderBy(inRowOrder)
    .limit(given.limit),
);

/** The archived columns of packs, in the order of `packsOfGroup`. `artifactIds` is a JSON list. */
export const packsToArchive = statement((given: Given<PackGroup & { artifactIds: string }>) =>
  query
    .read(artifacts, {
      jobId: artifacts.jobId,
      artifactId: artifacts.artifactId,
      job: {
        ...pick(jobs, "selectedSizeIds", "assetIds", "copy", "brand", "placements", "overrides"),
        ...pick(jobs, "renderInputs", "renderFingerprint"),
      },
      artifact: pick(artifacts, "files", "manifestSha256", "fileDetails"),
    })
    .innerJoin(jobs, eq(jobs.jobId, artifacts.jobId))
    .where(
      and(
        isInGroup(given),
        isNull(jobs.archive),
        inArray(artifacts.artifactId, sql`(select value from json_each(${given.artifactIds}))`),
      ),
    )
    .orderBy(inRowOrder),
);

/** A line of an archive. */
export type ArchivedPack = RowOf<typeof packsToArchive>;

/** Texts of a job's copy that searches ignore; archiving removes them from the job. */
const UNSEARCHED = sql`'$.disclaimer', '$.price', '$.oldPrice', '$.language'`;

interface Archived {
  /** JSON list of the ids of jobs whose lines are in one member. */
  readonly jobIds: string;
  /** Location of that member, as JSON. */
  readonly place: string;
}

const isOf = (given: Given<Archived>) => sql`in (select value from json_each(${given.jobIds}))`;

/**
 * Reduces jobs to the columns that lists, limits and monthly statements need, and stores the location of the rest.
 * Skips archived jobs.
 */
export const setArchived = statement((given: Given<Archived>) =>
  query
    .update(jobs)
    .set({
      archive: sql`json_set(${given.place}, '$.sizes', json_array_length(${jobs.selectedSizeIds}), '$.files',
        (select json_array_length(${artifacts.files}) from ${artifacts} where ${artifacts.artifactId} = ${jobs.artifactId}))`,
      copy: sql`json_remove(${jobs.copy}, ${UNSEARCHED})`,
      selectedSizeIds: [],
      assetIds: {},
      brand: {},
      placements: {},
      overrides: {},
      renderInputs: {},
      renderFingerprint: "",
    })
    .where(and(sql`${jobs.jobId} ${isOf(given)}`, isNull(jobs.archive))),
);

export const emptyArtifacts = statement((given: Given<Archived>) =>
  query
    .update(artifacts)
    .set({ files: [], fileDetails: null, manifestSha256: null })
    .where(
      sql`${artifacts.artifactId} in (select ${jobs.artifactId} from ${jobs}
        where ${jobs.jobId} ${isOf(given)} and ${jobs.archive} is not null)`,
    ),
);
