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

/** Whether the job's status is final. */
export const hasJobEnded = ({ status }: { readonly status: JobStatus }): boolean =>
  status !== "queued" && status !== "running";

/** Everything that determines the files of a pack, except the bytes of its assets. The fingerprint covers both. */
export type JobPlan = Readonly<
  OutputDesign &
    Pick<
      typeof jobs.$inferSelect,
      "contractId" | "motion" | "outputFormat" | "network" | "clickUrl" | "selectedSizeIds" | "assetIds"
    > &
    Pick<typeof jobs.$inferSelect, "brand" | "brandAssetIds" | "buttonStyle" | "look" | "overrides">
>;

/** The design of one size: the pack's, with its override applied. */
export type OutputDesign = Readonly<Required<PackOverride>>;

/** 404 for a job that the workspace does not have, even if another workspace has it. */
export const jobNotFound = (): Refusal => refuse("JOB_NOT_FOUND", "The workspace has no job with this id.");
