import { and, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import { artifacts, jobs } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { type Approval, approvalOf } from "./approval.ts";
import { artifactFields, headlineOfJob, sizesOfJob } from "./store.ts";

/** Filters; null matches everything. */
export interface ArtifactFilter {
  readonly contractId: string | null;
  readonly motion: "static" | "animated" | null;
  /** Text in the pack's name, copy or contract, or an artifact or job id. */
  readonly search: string | null;
  readonly brandId: string | null;
  readonly approval: Approval | null;
}

interface ListedJobs {
  readonly workspaceId: string;
  readonly beforeMs: number | null;
}

type Mode = "live" | "test";

/** A statement for each mode. */
const forBothModes = <T>(make: (mode: Mode) => T) => ({ live: make("live"), test: make("test") });

/** The workspace's finished jobs created before a time. */
const finishedJobs = (given: Given<ListedJobs>, mode: Mode) =>
  and(
    eq(jobs.workspaceId, given.workspaceId),
    // Excludes jobs of image URLs.
    isNull(jobs.imageHash),
    // A hint for SQLite: with two bounds of the creation time, the planner would otherwise choose the index without the
    // status, and read each failed or canceled job too.
    sql`unlikely(${eq(jobs.status, "succeeded")})`,
    // Written exactly as in the partial indexes `jobs_ended` and `jobs_test`.
    mode === "live"
      ? sql`${jobs.finishedAt} is not null and ${jobs.livemode} = 1`
      : sql`${jobs.livemode} = 0`,
    // `coalesce` instead of `or`, so that the search of the creation-time index starts at `beforeMs`.
    lt(jobs.createdAt, sql`coalesce(${given.beforeMs}, ${Number.MAX_SAFE_INTEGER})`),
  );

/** Texts of the copy that are searched. */
const SEARCHED = ["headline", "subheadline", "cta", "badge"] as const;

const searchedText = sql`lower(coalesce(${jobs.name}, '') || ' ' || ${jobs.contractId} || ' ' || ${sql.join(
  SEARCHED.map((member) => sql`coalesce(json_extract(${jobs.copy}, ${sql.raw(`'$.${member}'`)}), '')`),
  sql` || ' ' || `,
)})`;

const approval = approvalOf(jobs.artifactId);

/** Preferred minimum of a thumbnail's short edge. Such pictures are readable at a glance. */
const THUMBNAIL_EDGE_PX = 200;

const ofFile = (member: string) => sql`(file.value ->> ${sql.raw(`'$.${member}'`)})`;

const aspect = sql`(${ofFile("width")} * 1.0 / ${ofFile("height")})`;

/**
 * The thumbnail as JSON: the smallest (in bytes) of the static files whose ratio is closest to a post's (4:5 to 1:1). A
 * file with a short edge below `THUMBNAIL_EDGE_PX` is used only if every file has one.
 */
const thumbnail = sql<{
  readonly fileId: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: "image/png" | "image/jpeg" | "image/webp";
  readonly byteLength: number;
} | null>`(select json_object('fileId', ${ofFile("fileId")}, 'width', ${ofFile("width")},
    'height', ${ofFile("height")}, 'contentType', ${ofFile("contentType")},
    'byteLength', ${ofFile("byteLength")})
  from json_each(${artifacts.files}) as file where ${ofFile("animation")} is null
  order by min(${ofFile("width")}, ${ofFile("height")}) < ${sql.raw(String(THUMBNAIL_EDGE_PX))},
    max(0.8 - ${aspect}, ${aspect} - 1.0, 0.0),
    ${ofFile("byteLength")} limit 1)`.mapWith((json: string) => JSON.parse(json));

/**
 * Matching artifacts of the workspace, newest job first; optionally only of jobs created before `beforeMs`, and not
 * before `edgeMs`.
 */
export const artifactsPage = forBothModes((mode) =>
  statement(
    (given: Given<ListedJobs & ArtifactFilter & { edgeMs: number | null; nowMs: number; limit: number }>) =>
      query
        .read(jobs, {
          ...artifactFields(given),
          /** The cursor, unique among a workspace's jobs. */
          jobCreatedAtMs: jobs.createdAt,
          fileCount: sql<number>`coalesce(json_extract(${jobs.archive}, '$.files'), json_array_length(${artifacts.files}))`,
          headline: headlineOfJob,
          ...pick(jobs, "look", "name", "brandId", "versionOf"),
          approval,
          sizeCount: sizesOfJob,
          thumbnail,
        })
        .innerJoin(artifacts, eq(artifacts.artifactId, jobs.artifactId))
        .where(
          and(
            finishedJobs(given, mode),
            sql`${jobs.createdAt} >= coalesce(${given.edgeMs}, 0)`,
            or(isNull(given.contractId), eq(jobs.contractId, given.contractId)),
            or(isNull(given.motion), eq(jobs.motion, given.motion)),
            or(isNull(given.brandId), eq(jobs.brandId, given.brandId)),
            or(isNull(given.approval), eq(approval, given.approval)),
            sql`(${given.search} is null or instr(${searchedText}, lower(${given.search})) > 0
            or ${jobs.artifactId} = lower(${given.search}) or ${jobs.jobId} = lower(${given.search}))`,
          ),
        )
        .orderBy(desc(jobs.createdAt))
        .limit(given.limit),
  ),
);

export type ArtifactSummary = RowOf<typeof artifactsPage.live>;

/** Creation time of the finished job at position `looked + 1`, newest first; no row when there are fewer jobs. */
export const edgeOfSearch = forBothModes((mode) =>
  statement((given: Given<ListedJobs & { looked: number }>) =>
    query
      .read(jobs, { createdAtMs: jobs.createdAt })
      .where(finishedJobs(given, mode))
      .orderBy(desc(jobs.createdAt))
      .limit(1)
      .offset(given.looked),
  ),
);
