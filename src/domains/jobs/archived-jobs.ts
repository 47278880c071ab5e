import { pick } from "#platform/pick-members.ts";
import { type OpenStorage, type PackStub, readArchivedPacks } from "../artifacts/read-archive.ts";
import type { Job, ListedJob } from "./store.ts";

/** Columns of a job that are restored from its archive; `overrides` is restored too if the row includes it. */
const ARCHIVED = ["selectedSizeIds", "assetIds", "copy", "brand", "placements", "renderFingerprint"] as const;

/** Restores the archived columns of jobs; keeps their order. */
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

export async function restoreJob(open: OpenStorage, job: Job): Promise<Job> {
  const [restored] = await restoreJobs(open, [job]);
  return restored ?? job;
}
