import { accept, type Outcome, refuse } from "#api/errors.ts";
import { latest } from "#platform/db/reader.ts";
import type { OpenStorage } from "../artifacts/read-archive.ts";
import { jobNotFound } from "./job.ts";
import { getJob } from "./read-jobs.ts";
import { type Job, type JobInMode, jobOfWorkspace, renameJobRow } from "./store.ts";

/** Names and versions of packs. A pack's files depend on neither. */

/**
 * The job of the first version of the pack that `versionOf` belongs to; null without `versionOf`. 422 JOB_UNKNOWN when
 * the workspace has no such job in this mode.
 */
export async function findFirstVersion(
  db: D1Database,
  { workspaceId, livemode }: { readonly workspaceId: string; readonly livemode: boolean },
  versionOf: string | undefined,
): Promise<Outcome<string | null>> {
  if (versionOf === undefined) return accept(null);
  const job = await jobOfWorkspace.first(latest(db), { workspaceId, jobId: versionOf });
  return job === null || job.livemode !== livemode
    ? refuse("JOB_UNKNOWN", "The workspace has no job with the id named in `versionOf`.")
    : accept(job.versionOf ?? job.jobId);
}

/** Sets or removes (null) a job's name, in any status. 404 JOB_NOT_FOUND. */
export async function renameJob(
  db: D1Database,
  open: OpenStorage,
  id: JobInMode,
  name: string | null,
): Promise<Outcome<Job>> {
  const session = latest(db);
  const renamed = await renameJobRow.run(session, { ...id, name });
  return renamed === 0 ? jobNotFound() : getJob(session, open, id);
}
