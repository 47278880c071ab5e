import { and, eq, getTableColumns, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { LIMITS } from "../api/limits.ts";
import { query } from "../db/query.ts";
import { artifactFiles, artifacts, jobOutputs, jobs, shares, workspaces } from "../db/schema/index.ts";
import { type Given, statement } from "../db/statement.ts";
import { pick } from "../platform/pick.ts";

/** SQL of finished packs. Requests name the workspace, so that a foreign id reads as a missing one. */

type ArtifactId = { readonly workspaceId: string; readonly artifactId: string };

/** What every reading of an artifact shows. One past its time reads as expired, swept or not. */
export const artifactFields = (given: Given<{ nowMs: number }>) => ({
  artifactId: artifacts.artifactId,
  jobId: artifacts.jobId,
  status: sql<
    "ready" | "expired"
  >`iif(${artifacts.expiresAt} <= ${given.nowMs}, 'expired', ${artifacts.status})`,
  ...pick(jobs, "contractId", "motion", "outputFormat"),
  totalBytes: artifacts.totalBytes,
  createdAtMs: artifacts.createdAt,
  expiresAtMs: artifacts.expiresAt,
});

const isArtifact = (given: Given<ArtifactId>) =>
  and(eq(artifacts.workspaceId, given.workspaceId), eq(artifacts.artifactId, given.artifactId));

/** An artifact without its files. */
export const artifactById = statement((given: Given<ArtifactId & { nowMs: number }>) =>
  query
    .select({
      ...artifactFields(given),
      workspaceId: artifacts.workspaceId,
      sizeIds: jobs.selectedSizeIds,
      renderFingerprint: jobs.renderFingerprint,
      engineVersion: artifacts.engineVersion,
      /** Whether an operator has suspended its workspace. */
      isSuspended: sql<boolean>`${workspaces.suspendedAt} is not null`.mapWith(Boolean),
    })
    .from(artifacts)
    .innerJoin(jobs, eq(jobs.jobId, artifacts.jobId))
    .innerJoin(workspaces, eq(workspaces.workspaceId, artifacts.workspaceId))
    .where(isArtifact(given)),
);

/** Its files in the pack's order, or the one that is named. */
export const filesOfArtifact = statement((given: Given<ArtifactId & { fileId: string | null }>) => {
  const { artifactId: _, position, ...shown } = getTableColumns(artifactFiles);
  return query
    .select(shown)
    .from(artifactFiles)
    .where(
      and(
        sql`${artifactFiles.artifactId} = (select ${artifacts.artifactId} from ${artifacts} where ${isArtifact(given)})`,
        or(isNull(given.fileId), eq(artifactFiles.fileId, given.fileId)),
      ),
    )
    .orderBy(position);
});

type JobId = { readonly jobId: string };

/** A job's files as the render consumer wrote them, once every output is done and the job did not end otherwise. */
const filesOfCompleteJob = (given: Given<JobId>) =>
  sql`from ${jobs} join ${jobOutputs} on ${jobOutputs.jobId} = ${jobs.jobId}
    join json_each(${jobOutputs.files}) as file
    where ${jobs.jobId} = ${given.jobId} and ${jobs.status} in ('running', 'succeeded')
      and not exists (select 1 from ${jobOutputs} where ${jobOutputs.jobId} = ${given.jobId}
        and ${jobOutputs.status} <> 'done')`;

const ofFile = (member: string) => sql`json_extract(file.value, ${`$.${member}`})`;

const insertArtifact = statement(
  (given: Given<JobId & { engineVersion: string; nowMs: number; expiresAt: number }>) =>
    query
      .insert(artifacts)
      .selecting(
        {
          ...pick(jobs, "artifactId", "jobId", "workspaceId"),
          status: "ready",
          engineVersion: given.engineVersion,
          totalBytes: sql`sum(${ofFile("byteLength")})`,
          createdAt: given.nowMs,
          expiresAt: given.expiresAt,
        },
        sql`${filesOfCompleteJob(given)} group by ${jobs.jobId}`,
      )
      .onConflictDoNothing({ target: artifacts.artifactId }),
);

const insertFiles = statement((given: Given<JobId>) =>
  query.insert(artifactFiles).selecting(
    {
      fileId: ofFile("fileId"),
      artifactId: jobs.artifactId,
      position: sql`row_number() over (order by ${jobOutputs.position}, file.key) - 1`,
      sizeId: ofFile("sizeId"),
      role: ofFile("role"),
      fileName: ofFile("fileName"),
      width: ofFile("width"),
      height: ofFile("height"),
      contentType: ofFile("contentType"),
      byteLength: ofFile("byteLength"),
      sha256: ofFile("sha256"),
      objectKey: ofFile("objectKey"),
      compliance: ofFile("compliance"),
      layout: ofFile("layout"),
      animation: ofFile("animation"),
    },
    sql`${filesOfCompleteJob(given)}
      and not exists (select 1 from ${artifactFiles} where ${artifactFiles.artifactId} = ${jobs.artifactId})`,
  ),
);

/** The artifact's files have it all now: as a second copy it would be most of what a job takes in the database. */
const clearOutputFiles = statement((given: Given<JobId>) =>
  query
    .update(jobOutputs)
    .set({ files: [] })
    .where(
      sql`${jobOutputs.jobId} = ${given.jobId} and exists (select 1 from ${artifactFiles}
        join ${artifacts} on ${artifacts.artifactId} = ${artifactFiles.artifactId}
        where ${artifacts.jobId} = ${given.jobId})`,
    ),
);

/**
 * Inserts the artifact and its files from `job_outputs.files`, for the batch that moves the job to `succeeded`
 * (before or after that update, alike). Inserts nothing while an output is open, when the job failed or was
 * cancelled, or when the artifact is there already: safe to repeat. Two files of one name fail the batch.
 */
export const artifactStatements = (
  db: D1Database,
  job: { readonly jobId: string; readonly engineVersion: string; readonly nowMs: number },
): D1PreparedStatement[] => [
  insertArtifact.bind(db, { ...job, expiresAt: job.nowMs + LIMITS.artifactRetentionMs }),
  insertFiles.bind(db, job),
  clearOutputFiles.bind(db, job),
];

type Expiry = { readonly beforeMs: number; readonly limit: number };

/** Artifacts in a status that expired by a time and still have their files, the oldest first. */
const expiredBy = (given: Given<Expiry>, status: "ready" | "expired") =>
  and(
    isNull(artifacts.filesDeletedAt),
    lte(artifacts.expiresAt, given.beforeMs),
    eq(artifacts.status, status),
  );

export const expireReadyArtifacts = statement((given: Given<Expiry>) =>
  query
    .update(artifacts)
    .set({ status: "expired" })
    .where(
      sql`${artifacts.artifactId} in (select ${artifacts.artifactId} from ${artifacts}
        where ${expiredBy(given, "ready")} order by ${artifacts.expiresAt} limit ${given.limit})`,
    ),
);

/** A column of an artifact's files, as a list. */
const listOfFiles = (column: SQLiteColumn, condition?: SQL) =>
  sql`(select json_group_array(${column}) from ${artifactFiles}
    where ${and(eq(artifactFiles.artifactId, artifacts.artifactId), condition)})`.mapWith(
    (json: string): readonly string[] => JSON.parse(json),
  );

const stillsWhenShared = and(
  isNull(artifactFiles.animation),
  sql`exists (select 1 from ${shares} where ${shares.artifactId} = ${artifacts.artifactId})`,
);

/** Expired artifacts with the keys of their files, and the ids of those that may have a protected picture beside them. */
export const artifactsWithFilesToDelete = statement((given: Given<Expiry>) =>
  query
    .select({
      ...pick(artifacts, "artifactId", "workspaceId"),
      objectKeys: listOfFiles(artifactFiles.objectKey),
      protectedFileIds: listOfFiles(artifactFiles.fileId, stillsWhenShared),
    })
    .from(artifacts)
    .where(expiredBy(given, "expired"))
    .orderBy(artifacts.expiresAt)
    .limit(given.limit),
);

/** Notes that the files of these artifacts (a JSON array of ids) are deleted. */
export const setFilesDeleted = statement((given: Given<{ artifactIds: string; nowMs: number }>) =>
  query
    .update(artifacts)
    .set({ filesDeletedAt: given.nowMs })
    .where(
      and(
        inArray(artifacts.artifactId, sql`(select value from json_each(${given.artifactIds}))`),
        isNull(artifacts.filesDeletedAt),
      ),
    ),
);
