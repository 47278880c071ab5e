import { and, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { artifacts, brands, jobs, ledgerEvents, shares, workspaces } from "#platform/db/schema/index.ts";
import { type Given, matches, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/**
 * SQL of finished packs. Every request's statement names the workspace, so that another workspace's id finds nothing.
 */

/** The number of a job's sizes, from its row or its archive. */
export const sizesOfJob = sql<number>`coalesce(json_extract(${jobs.archive}, '$.sizes'), json_array_length(${jobs.selectedSizeIds}))`;

/** A job's headline, which is not archived. */
export const headlineOfJob = sql<string | null>`json_extract(${jobs.copy}, '$.headline')`;

type ArtifactId = { readonly workspaceId: string; readonly artifactId: string };

/** Columns of every read of an artifact. An artifact past its expiry reads as expired, even before the sweep. */
export const artifactFields = (given: Given<{ nowMs: number }>) => ({
  artifactId: artifacts.artifactId,
  jobId: artifacts.jobId,
  status: sql<
    "ready" | "expired"
  >`iif(${artifacts.expiresAt} <= ${given.nowMs}, 'expired', ${artifacts.status})`,
  ...pick(jobs, "livemode", "contractId", "motion", "outputFormat"),
  totalBytes: artifacts.totalBytes,
  createdAtMs: artifacts.createdAt,
  expiresAtMs: artifacts.expiresAt,
});

const isArtifact = (given: Given<ArtifactId>) => matches(artifacts, pick(given, "workspaceId", "artifactId"));

export const artifactById = statement((given: Given<ArtifactId & { nowMs: number }>) =>
  query
    .read(artifacts, {
      ...artifactFields(given),
      workspaceId: artifacts.workspaceId,
      sizeIds: jobs.selectedSizeIds,
      ...pick(jobs, "renderFingerprint", "archive", "name"),
      headline: headlineOfJob,
      brandName: brands.name,
      ...pick(artifacts, "engineVersion", "files", "manifestSha256", "fileDetails"),
      isSuspended: sql<boolean>`${workspaces.suspendedAt} is not null`.mapWith(Boolean),
    })
    .innerJoin(jobs, eq(jobs.jobId, artifacts.jobId))
    .innerJoin(workspaces, eq(workspaces.workspaceId, artifacts.workspaceId))
    .leftJoin(brands, eq(brands.brandId, jobs.brandId))
    .where(isArtifact(given)),
);

type NewArtifact = {
  readonly jobId: string;
  readonly engineVersion: string;
  /** A JSON list in the pack's order. */
  readonly files: string;
  readonly totalBytes: number;
  readonly manifestSha256: string;
  readonly nowMs: number;
};

const { credits, subscription, unlimited, test } = LIMITS.artifactRetentionMs;

/** Retention of a pack's files in milliseconds, which depends on how the job was paid for. */
const retentionOf = (given: Given<NewArtifact>) =>
  sql`iif(${jobs.livemode} = 0, ${sql.raw(String(test))}, coalesce((select case ${ledgerEvents.source} when 'unlimited' then ${sql.raw(String(unlimited))}
    when 'subscription' then ${sql.raw(String(subscription))} end from ${ledgerEvents}
    where ${ledgerEvents.jobId} = ${given.jobId} and ${ledgerEvents.type} = 'consumption'), ${sql.raw(String(credits))}))`;

/**
 * Inserts the artifact of a running job, in the batch that sets the job to `succeeded`. Inserts nothing when the job
 * has failed or was canceled, or the artifact exists, so it may be repeated.
 */
export const insertArtifact = statement((given: Given<NewArtifact>) =>
  query
    .insert(artifacts)
    .selecting(
      {
        ...pick(jobs, "artifactId", "jobId", "workspaceId"),
        ...pick(given, "engineVersion", "totalBytes", "manifestSha256"),
        expiresAt: sql`${given.nowMs} + ${retentionOf(given)}`,
        status: "ready",
        files: sql`${given.files}`,
        createdAt: given.nowMs,
      },
      sql`from ${jobs} where ${jobs.jobId} = ${given.jobId} and ${jobs.status} = 'running'`,
    )
    .onConflictDoNothing({ target: artifacts.artifactId }),
);

type Expiry = { readonly beforeMs: number; readonly limit: number };

/** Artifacts with this status that expired by a time and still have files, oldest first. */
const expiredBy = (given: Given<Expiry>, status: "ready" | "expired") =>
  and(
    isNull(artifacts.filesDeletedAt),
    lte(artifacts.expiresAt, given.beforeMs),
    eq(artifacts.status, status),
    isNotMoving(artifacts.workspaceId),
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

/** Expired artifacts with their files, and whether protected pictures may be stored beside the files. */
export const artifactsWithFilesToDelete = statement((given: Given<Expiry>) =>
  query
    .read(artifacts, {
      ...pick(artifacts, "artifactId", "workspaceId", "files"),
      isShared:
        sql`exists (select 1 from ${shares} where ${shares.artifactId} = ${artifacts.artifactId})`.mapWith(
          Boolean,
        ),
    })
    .where(expiredBy(given, "expired"))
    .orderBy(artifacts.expiresAt)
    .limit(given.limit),
);

/** Records that the files of artifacts are deleted. `artifactIds` is a JSON array. */
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
