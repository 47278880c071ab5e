import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { z } from "zod";
import type { shownCopySchema } from "#api/schemas/copy.ts";
import type { shownBrandSchema } from "#api/schemas/design.ts";
import type { JOB_FAILURE_CODES } from "#api/schemas/job.ts";
import type { BrandAssetName, PictureSlotId, SlotId } from "#api/slots.ts";
import type { ButtonStyleId, CompositionWish, LookId, Variant } from "#catalogue/looks.ts";
import type { PixelScale } from "#catalogue/scales.ts";
import type { BannerNetwork, OutputFormat } from "#catalogue/types.ts";
import { foreignId } from "./foreign-id.ts";
import type { DrawnFile, PackArchive } from "./pack-files.ts";
import { workspaces } from "./workspaces.ts";

/** Jobs, and their parts while they are rendered. */

export type PackCopy = Readonly<z.infer<typeof shownCopySchema>>;
export type PackBrand = Readonly<z.infer<typeof shownBrandSchema>>;

/** A focal point to keep in sight, or an area to keep whole; fractions 0..1 of the upright image. */
export type PackPlacement =
  | { readonly focalPoint: { readonly x: number; readonly y: number } }
  | {
      readonly keep: {
        readonly x: number;
        readonly y: number;
        readonly width: number;
        readonly height: number;
      };
    };
export type PackPlacements = Partial<Record<PictureSlotId, PackPlacement>>;

/** Overrides of one size. Absent fields keep the pack's values; an empty text removes the pack's text. */
export interface PackOverride {
  readonly copy?: PackCopy;
  readonly placements?: PackPlacements;
  readonly variant?: Variant;
  readonly composition?: CompositionWish;
  readonly scale?: PixelScale;
}

/** Storage key and hash of one slot's file, fixed when the job is created. */
export interface JobInput {
  readonly objectKey: string;
  readonly mimeType: string;
  readonly sha256: string;
}
export type JobInputs = Partial<Record<SlotId | BrandAssetName, JobInput>>;

export type JobFailureCode = (typeof JOB_FAILURE_CODES)[number];

export const jobs = sqliteTable(
  "jobs",
  {
    jobId: text("job_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    status: text("status", { enum: ["queued", "running", "succeeded", "failed", "canceled"] }).notNull(),
    contractId: text("contract_id").notNull(),
    motion: text("motion", { enum: ["static", "animated"] }).notNull(),
    outputFormat: text("output_format").$type<OutputFormat>().notNull(),
    /** For HTML5 banners: the ad network's click tag, and the click URL. */
    network: text("network").$type<BannerNetwork>(),
    clickUrl: text("click_url"),
    /** In the order of the request. */
    selectedSizeIds: text("selected_size_ids", { mode: "json" }).$type<readonly string[]>().notNull(),
    assetIds: text("asset_ids", { mode: "json" }).$type<Partial<Record<SlotId, string>>>().notNull(),
    copy: text("copy", { mode: "json" }).$type<PackCopy>().notNull(),
    brand: text("brand", { mode: "json" }).$type<PackBrand>().notNull(),
    /** The saved brand of the order. It may have been changed or deleted since; the job has a copy of its values. */
    brandId: text("brand_id"),
    /** The pack's display name, or null. It may change at any time. */
    name: text("name"),
    /** The job of the pack's first version; null for a first version. */
    versionOf: text("version_of"),
    /** The second logo and font, which only a saved brand has. */
    brandAssetIds: text("brand_asset_ids", { mode: "json" })
      .$type<Partial<Record<BrandAssetName, string>>>()
      .notNull()
      .default({}),
    buttonStyle: text("button_style").$type<ButtonStyleId>(),
    look: text("look").$type<LookId>().notNull().default("classic"),
    variant: integer("variant").$type<Variant>().notNull().default(1),
    composition: text("composition").$type<CompositionWish>().notNull().default("auto"),
    scale: integer("scale").$type<PixelScale>().notNull().default(1),
    placements: text("placements", { mode: "json" }).$type<PackPlacements>().notNull().default({}),
    /** By size id; only values that differ from the pack's. */
    overrides: text("overrides", { mode: "json" })
      .$type<Readonly<Record<string, PackOverride>>>()
      .notNull()
      .default({}),
    /** Fixed at creation, so that deleting an asset later changes nothing. */
    renderInputs: text("render_inputs", { mode: "json" }).$type<JobInputs>().notNull(),
    /**
     * The webhook that gets a message when the job ends, regardless of its event types; see migrations/0017. It may
     * have been deleted by then.
     */
    notifyDestinationId: text("notify_destination_id"),
    costCredits: integer("cost_credits").notNull(),
    /** The key that ordered it; null for a session's key. */
    apiKeyId: text("api_key_id"),
    /** False for a test key's job: it has no ledger event, and is deleted after `testJobRetentionMs`. */
    livemode: integer("livemode", { mode: "boolean" }).notNull().default(true),
    renderFingerprint: text("render_fingerprint").notNull(),
    /** Assigned when the job is created; shown once the job has succeeded. */
    artifactId: text("artifact_id").notNull(),
    failureCode: text("failure_code").$type<JobFailureCode>(),
    failureMessage: text("failure_message"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    /** Number of messages for its outputs. */
    messages: integer("messages").notNull().default(1),
    /** Whether it waits for a slot in the queue; see src/domains/jobs/fair-queue-store.ts. */
    isWaiting: integer("is_waiting", { mode: "boolean" }).notNull().default(false),
    /** When its messages were last sent to the queue; null before that, or when the sweep must send them. */
    dispatchedAt: integer("dispatched_at"),
    /**
     * The time after which a failed job's files may be deleted. Null for other jobs, and once the files are deleted.
     */
    deleteFilesAfter: integer("purge_after"),
    /** Identifies the image that an image URL ordered (src/domains/images); null for a pack. */
    imageHash: text("image_hash"),
    /** Location of an archived pack's data; null while the data is in the pack's rows. */
    archive: text("archive", { mode: "json" }).$type<PackArchive>(),
  },
  (table) => [
    // Creation times are unique per workspace, so a time alone is a complete cursor.
    uniqueIndex("jobs_by_workspace").on(table.workspaceId, table.createdAt),
    // A job enters this index once, when it ends, so that updates of open jobs do not change the index.
    index("jobs_ended")
      .on(table.workspaceId, table.status, table.createdAt)
      .where(sql`finished_at IS NOT NULL`),
    index("jobs_by_fingerprint").on(table.workspaceId, table.renderFingerprint, table.createdAt),
    // By workspace: jobs in the queue, and jobs waiting for a slot, the next one first.
    index("jobs_open")
      .on(table.workspaceId, table.isWaiting, table.dispatchedAt, table.createdAt, table.messages)
      .where(sql`finished_at IS NULL`),
    index("jobs_open_by_workspace").on(table.workspaceId, table.createdAt).where(sql`finished_at IS NULL`),
    // The first index counts a workspace's test jobs of the day at each order; the second finds old test jobs to
    // delete.
    index("jobs_test").on(table.workspaceId, table.createdAt).where(sql`livemode = 0`),
    index("jobs_test_old").on(table.createdAt).where(sql`livemode = 0`),
    index("jobs_versions").on(table.versionOf).where(sql`version_of IS NOT NULL`),
    index("jobs_by_image")
      .on(table.workspaceId, table.imageHash, table.createdAt)
      .where(sql`image_hash IS NOT NULL`),
    index("jobs_images").on(table.workspaceId, table.createdAt).where(sql`image_hash IS NOT NULL`),
    index("jobs_purging").on(table.deleteFilesAfter).where(sql`purge_after IS NOT NULL`),
  ],
);

/**
 * Parts of open jobs: outputs that one message leases, draws and completes together. A row is created at a part's first
 * claim and deleted when its job succeeds.
 */
export const jobParts = sqliteTable(
  "job_parts",
  {
    jobId: foreignId("job_id", () => jobs.jobId),
    /** From 0; see jobs/part-store.ts. */
    part: integer("part").notNull(),
    attempts: integer("attempts").notNull(),
    /** Null while no attempt draws it. */
    leaseId: text("lease_id"),
    leaseUntil: integer("lease_until"),
    /** Number of drawn outputs: all, or none. */
    outputsDone: integer("outputs_done").notNull().default(0),
    /** Files of the drawn outputs, until the artifact has them. */
    files: text("files", { mode: "json" }).$type<readonly DrawnFile[]>(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.part] })],
);
