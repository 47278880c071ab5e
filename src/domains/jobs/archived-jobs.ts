import { pick } from "#platform/pick-members.ts";
import { type OpenStorage, type PackStub, readArchivedPacks } from "../artifacts/read-archive.ts";
import type { Job, ListedJob } from "./store.ts";

/** Members of a job that an archive has, and of a single one its overrides, too. */
const ARCHIVED = ["selectedSizeIds", "assetIds", "copy", "brand", "placements", "renderFingerprint"] as const;

/** The jobs as they were before some of them were archived, in their order. */
export async function restoreJobs<Row extends ListedJob>(
  open: OpenStorage,
  jobs: readonly Row[],
): Promise<readonly Row[]> {
  const stubs = jobs.flatMap(({ workspaceId, jobId, archive }): PackStub[] =>
    archive === null ? [] : [{ workspaceId, jobId, archive }],
  );
  if (stubs.length === 0) return jobs;
  const packs = await readArchivedPacks(open(), stubs);
  return jobs.map((job) => {
    const archived = packs.get(job.jobId)?.job;
    if (archived === undefined) return job;
    return {
      ...job,
      ...pick(archived, ...ARCHIVED),
      ...("overrides" in job && { overrides: archived.overrides }),
    };
  });
}

/** One job as it was before it was archived. */
export async function restoreJob(open: OpenStorage, job: Job): Promise<Job> {
  const [restored] = await restoreJobs(open, [job]);
  return restored ?? job;
}
