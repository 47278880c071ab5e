import { type Refusal, refuse } from "#api/errors.ts";
import type { JOB_STATUSES } from "#api/schemas/job.ts";
import type { jobs, PackOverride } from "#platform/db/schema/jobs.ts";

export type {
  JobFailureCode,
  JobInput,
  JobInputs,
  PackBrand,
  PackCopy,
  PackOverride,
  PackPlacement,
  PackPlacements,
} from "#platform/db/schema/jobs.ts";

export type JobStatus = (typeof JOB_STATUSES)[number];

/** Whether the job changes no more. */
export const hasJobEnded = ({ status }: { readonly status: JobStatus }): boolean =>
  status !== "queued" && status !== "running";

/** What is rendered: everything the fingerprint covers except the bytes. */
export type JobPlan = Readonly<
  OutputDesign &
    Pick<
      typeof jobs.$inferSelect,
      "contractId" | "motion" | "outputFormat" | "network" | "clickUrl" | "selectedSizeIds" | "assetIds"
    > &
    Pick<typeof jobs.$inferSelect, "brand" | "brandAssetIds" | "buttonStyle" | "look" | "overrides">
>;

/** What one size of a plan is composed with: the pack's own design, and its override in the place of what it replaces. */
export type OutputDesign = Readonly<Required<PackOverride>>;

/** The answer for a job that the workspace does not have: 404, for a foreign one too. */
export const jobNotFound = (): Refusal => refuse("JOB_NOT_FOUND", "The workspace has no job of this id.");
