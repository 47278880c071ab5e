import { and, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import { artifacts, jobs } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { type Approval, approvalOf } from "./approval.ts";
import { artifactFields, headlineOfJob, sizesOfJob } from "./store.ts";

/** SQL of the list of finished packs. */

/** What is looked for, each null for anything. */
export interface ArtifactFilter {
  readonly contractId: string | null;
  readonly motion: "static" | "animated" | null;
  /** Text in the pack's name or words, or its contract, or the id of artifact or job. */
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
const forEach = <T>(make: (mode: Mode) => T) => ({ live: make("live"), test: make("test") });

/** The finished jobs of the workspace that were created before a time. */
const finishedJobs = (given: Given<ListedJobs>, mode: Mode) =>
  and(
    eq(jobs.workspaceId, given.workspaceId),
    // SQLite's hint: with a bound at both ends of the time, the planner takes the index without the status otherwise, and
    // reads each job that failed or was canceled, too.
    sql`unlikely(${eq(jobs.status, "succeeded")})`,
    // In the words of the partial indexes `jobs_ended` and `jobs_test`.
    mode === "live"
      ? sql`${jobs.finishedAt} is not null and ${jobs.livemode} = 1`
      : sql`${jobs.livemode} = 0`,
    // Not `or`: the index on creation times starts at the bound.
    lt(jobs.createdAt, sql`coalesce(${given.beforeMs}, ${Number.MAX_SAFE_INTEGER})`),
  );

/** Words that people look for a pack by. */
const SEARCHED = ["headline", "subheadline", "cta", "badge"] as const;

const searchedText = sql`lower(coalesce(${jobs.name}, '') || ' ' || ${jobs.contractId} || ' ' || ${sql.join(
  SEARCHED.map((member) => sql`coalesce(json_extract(${jobs.copy}, ${sql.raw(`'$.${member}'`)}), '')`),
  sql` || ' ' || `,
)})`;

const approval = approvalOf(jobs.artifactId);

/** A picture of about this short edge is a good one at a glance. */
const THUMBNAIL_EDGE_PX = 200;

const ofFile = (member: string) => sql`(file.value ->> ${sql.raw(`'$.${member}'`)})`;

const aspect = sql`(${ofFile("width")} * 1.0 / ${ofFile("height")})`;

/** The still that shows the pack best, as JSON: of those nearest to a post (4:5 to 1:1), the lightest. */
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
 * Artifacts of the workspace that are looked for, newest job first, of jobs created before a time and not before the
 * edge, where given.
 */
export const artifactsPage = forEach((mode) =>
  statement(
    (given: Given<ListedJobs & ArtifactFilter & { edgeMs: number | null; nowMs: number; limit: number }>) =>
      query
        .read(jobs, {
          ...artifactFields(given),
          /** The cursor: no two jobs of a workspace have the same. */
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

/** When the last of so many finished jobs was created, the newest first; no row where there are fewer. */
export const edgeOfSearch = forEach((mode) =>
  statement((given: Given<ListedJobs & { looked: number }>) =>
    query
      .read(jobs, { createdAtMs: jobs.createdAt })
      .where(finishedJobs(given, mode))
      .orderBy(desc(jobs.createdAt))
      .limit(1)
      .offset(given.looked),
  ),
);
