import type { Motion, OutputFormat } from "../contract/catalogue/types.ts";
import type { JOB_FAILURE_CODES, JOB_STATUSES } from "../contract/schemas/job.ts";
import type { SlotId } from "../contract/slots.ts";

export type JobStatus = (typeof JOB_STATUSES)[number];
export type JobFailureCode = (typeof JOB_FAILURE_CODES)[number];

export interface PackCopy {
  readonly headline?: string;
  readonly subheadline?: string;
  readonly cta?: string;
  readonly disclaimer?: string;
}

export interface PackBrand {
  readonly primaryColor?: string;
  readonly backgroundColor?: string;
  readonly textColor?: string;
}

/** Where the bytes of one slot lie, and what they must hash to. Fixed when the job is created. */
export interface JobInput {
  readonly objectKey: string;
  readonly mimeType: string;
  readonly sha256: string;
}
export type JobInputs = Partial<Record<SlotId, JobInput>>;

/** What is drawn: everything the fingerprint covers except the bytes. */
export interface JobPlan {
  readonly contractId: string;
  readonly motion: Motion;
  readonly outputFormat: OutputFormat;
  /** In the order of the request. */
  readonly selectedSizeIds: readonly string[];
  readonly assetIds: Partial<Record<SlotId, string>>;
  readonly copy: PackCopy;
  readonly brand: PackBrand;
}

/** A job as its workspace sees it. Times are Unix milliseconds. */
export interface Job extends JobPlan {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly status: JobStatus;
  readonly costCredits: number;
  readonly renderFingerprint: string;
  /** Made with the job; the summary shows it only once the job has succeeded. */
  readonly artifactId: string;
  readonly failure: { readonly code: JobFailureCode; readonly message: string } | null;
  readonly isRefunded: boolean;
  readonly outputsTotal: number;
  readonly outputsDone: number;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
}
