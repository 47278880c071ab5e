import { type Refusal, refuse } from "#api/errors.ts";
import type { JOB_STATUSES } from "#api/schemas/job.ts";
import type { SlotId } from "#api/slots.ts";
import type { CompositionWish, LookId, Variant } from "#catalogue/looks.ts";
import type { PixelScale } from "#catalogue/scales.ts";
import type { Motion, OutputFormat } from "#catalogue/types.ts";
import type { PackBrand, PackCopy, PackOverride, PackPlacements } from "#platform/db/schema/jobs.ts";

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

/** What is rendered: everything the fingerprint covers except the bytes. */
export interface JobPlan {
  readonly contractId: string;
  readonly motion: Motion;
  readonly outputFormat: OutputFormat;
  /** In the order of the request. */
  readonly selectedSizeIds: readonly string[];
  readonly assetIds: Partial<Record<SlotId, string>>;
  readonly copy: PackCopy;
  readonly brand: PackBrand;
  readonly look: LookId;
  readonly variant: Variant;
  readonly composition: CompositionWish;
  readonly scale: PixelScale;
  readonly placements: PackPlacements;
  /** By size id, of sizes that are selected: what differs from the pack's own. */
  readonly overrides: Readonly<Record<string, PackOverride>>;
}

/** The answer for a job that the workspace does not have: 404, for a foreign one too. */
export const jobNotFound = (): Refusal => refuse("JOB_NOT_FOUND", "The workspace has no job of this id.");
