import type { Context } from "hono";
import type { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import type { jobSchema } from "#api/schemas/job.ts";
import { presentArtifact } from "#domains/artifacts/artifact.ts";
import { readDetails } from "#domains/artifacts/manifest.ts";
import { readArtifact } from "#domains/artifacts/service.ts";
import { hasJobEnded } from "#domains/jobs/job.ts";
import { presentJob } from "#domains/jobs/present-job.ts";
import type { Job } from "#domains/jobs/store.ts";
import { awaitJob } from "#operations/await-job.ts";
import { log } from "#platform/log/log.ts";
import type { AppEnv } from "./context.ts";
import { countRequest, exhaustedWindow } from "./rate-limit.ts";
import { requireCapability, storageOf } from "./require-capability.ts";

/** `Prefer: wait=N` (RFC 7240 §4.3): answers once the job has ended. */

/** The documented request header. A preference: malformed values are ignored. */
export const PREFER_HEADER = {
  description:
    "`wait=30` delays the response until the job has ended, for at most that many seconds " +
    `(maximum ${LIMITS.preferredWaitSecondsMax}). The response is the job in its current state, with \`artifact\` if it has ` +
    "succeeded, and has the header `Preference-Applied`.",
  example: "wait=30",
};

export const PREFERENCE_APPLIED_HEADER = {
  "Preference-Applied": {
    description: "`wait=` and the granted seconds; absent if the response did not wait.",
    schema: { type: "string" },
    example: "wait=30",
  },
};

/** One preference of the list with its value; parameters after `;` belong to it. Quoted text may contain commas. */
const PREFERENCE =
  /(?:^|,)\s*([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?(?:[^,"]|"(?:[^"\\]|\\.)*")*/g;

/** Longer headers are ignored, because the pattern may scan them several times. Real headers are shorter. */
const HEADER_CHARACTERS_MAX = 500;

/** The requested seconds, bounded; null without a valid `wait`. The first `wait` counts. */
export function preferredWait(header: string | undefined): number | null {
  if (header === undefined || header.length > HEADER_CHARACTERS_MAX) return null;
  for (const [, name, quoted, plain] of header.matchAll(PREFERENCE)) {
    if (name?.toLowerCase() !== "wait") continue;
    const value = quoted ?? plain ?? "";
    const seconds = /^\d{1,9}$/.test(value) ? Math.min(Number(value), LIMITS.preferredWaitSecondsMax) : 0;
    return seconds > 0 ? seconds : null;
  }
  return null;
}

/**
 * Whether one more request of the workspace may wait. The job exists already, so a failed count only prevents the wait.
 */
const mayWait = (c: Context<AppEnv>): Promise<boolean> =>
  countRequest(c, "waits", c.get("principal").workspaceId, false).then(
    () => true,
    () => false,
  );

/** The job for the answer: at once, or at its end if the caller prefers to wait. */
export async function showJob(c: Context<AppEnv>, job: Job): Promise<z.infer<typeof jobSchema>> {
  const seconds = preferredWait(c.req.header("Prefer"));
  if (seconds === null || (!hasJobEnded(job) && !(await mayWait(c)))) return presentJob(job);
  c.header("Preference-Applied", `wait=${seconds}`);
  const { db } = c.get("workspace");
  const { countedAs, scopes } = c.get("principal");
  const shown = await awaitJob({ db, openStorage: storageOf(c) }, job, {
    deadlineMs: c.get("nowMs") + seconds * 1_000,
    // A waiting request stops once the read window is exhausted.
    shouldStop: () => c.req.raw.signal.aborted || exhaustedWindow(c, "read", countedAs) !== null,
  });
  const artifact =
    shown.status === "succeeded" && scopes.includes("artifacts:read") ? await manifestOf(c, shown) : null;
  return { ...presentJob(shown), ...(artifact !== null && { artifact }) };
}

/** The manifest of a succeeded job. Null if it cannot be read, so that the response still contains the job. */
async function manifestOf(c: Context<AppEnv>, { workspaceId, artifactId, livemode }: Job) {
  const { db } = c.get("workspace");
  try {
    const found = await readArtifact({ db, livemode, nowMs: c.get("nowMs") }, workspaceId, artifactId);
    const detailed = found.ok ? await readDetails(requireCapability(c, "storage"), found.value) : found;
    if (detailed.ok) return presentArtifact(detailed.value);
    log.failure({ event: "manifest_lost", workspaceId, artifactId });
  } catch (thrown) {
    log.failure({ event: "manifest_unreadable", workspaceId, artifactId }, thrown);
  }
  return null;
}
