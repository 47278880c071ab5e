import type { z } from "zod";
import type { jobPageSchema, jobSchema } from "#api/schemas/job.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import type { Page } from "#platform/db/page.ts";
import { pick } from "#platform/pick-members.ts";
import type { Job, ListedJob } from "./store.ts";

/** The API's representation of a job, with its overrides if they were read. */
export function presentJob(job: Job | ListedJob): z.infer<typeof jobSchema> {
  return {
    ...pick(job, "jobId", "status", "livemode", "contractId"),
    selectedSizeIds: [...job.selectedSizeIds],
    ...pick(job, "outputFormat", "motion", "assetIds", "copy", "brand", "look", "variant", "placements"),
    ...pick(job, "name", "brandId", "versionOf", "approval", "brandAssetIds", "buttonStyle"),
    ...pick(job, "composition", "scale", "network", "clickUrl"),
    ...("overrides" in job && { overrides: { ...job.overrides } }),
    expectedCost: { amount: job.costCredits, unit: "credit" },
    renderFingerprint: job.renderFingerprint,
    progress: { total: job.outputsTotal, completed: job.outputsDone },
    artifactId: job.status === "succeeded" ? job.artifactId : null,
    notify: job.notifyDestinationId === null ? null : { destinationId: job.notifyDestinationId },
    failure:
      job.failureCode === null
        ? null
        : { code: job.failureCode, message: job.failureMessage ?? "", refunded: job.isRefunded },
    createdAt: toTimestamp(job.createdAtMs),
    startedAt: toTimestampOrNull(job.startedAtMs),
    finishedAt: toTimestampOrNull(job.finishedAtMs),
  };
}

export const presentJobPage = (page: Page<ListedJob, number>): z.infer<typeof jobPageSchema> => ({
  items: page.items.map(presentJob),
  nextBefore: toTimestampOrNull(page.nextBefore),
});
