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

/** Jobs, and their parts while they are drawn. */

export type PackCopy = Readonly<z.infer<typeof shownCopySchema>>;
export type PackBrand = Readonly<z.infer<typeof shownBrandSchema>>;

/** The point of a picture to keep in sight, or the part to show whole; shares 0..1 of the upright picture. */
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

/** What one size has of its own. An empty text takes the pack's away; other members are replaced one by one. */
export interface PackOverride {
  readonly copy?: PackCopy;
  readonly placements?: PackPlacements;
  readonly variant?: Variant;
  readonly composition?: CompositionWish;
  readonly scale?: PixelScale;
}

/** Where the bytes of one slot are stored, and their hash. Fixed when the job is created. */
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
    /** Of HTML5 banners: whose click tag they have, and where a click leads. */
    network: text("network").$type<BannerNetwork>(),
    clickUrl: text("click_url"),
    /** In the order of the request. */
    selectedSizeIds: text("selected_size_ids", { mode: "json" }).$type<readonly string[]>().notNull(),
    assetIds: text("asset_ids", { mode: "json" }).$type<Partial<Record<SlotId, string>>>().notNull(),
    copy: text("copy", { mode: "json" }).$type<PackCopy>().notNull(),
    brand: text("brand", { mode: "json" }).$type<PackBrand>().notNull(),
    /** The saved brand that it was ordered with, which may have changed or be gone: all values are the job's own. */
    brandId: text("brand_id"),
    /** What people call the pack; null for none. It may change at any time. */
    name: text("name"),
    /** The job of the first version of the pack; null for a first version. */
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
    /** By size id; only members that differ from the pack's own. */
    overrides: text("overrides", { mode: "json" })
      .$type<Readonly<Record<string, PackOverride>>>()
      .notNull()
      .default({}),
    /** Fixed at creation, so that deleting an asset later changes nothing. */
    renderInputs: text("render_inputs", { mode: "json" }).$type<JobInputs>().notNull(),
    /** The webhook that is sent a message at its end, whatever that asks for; see migrations/0017. It may be gone by then. */
    notifyDestinationId: text("notify_destination_id"),
    costCredits: integer("cost_credits").notNull(),
    /** The key that ordered it; null for a session's key. */
    apiKeyId: text("api_key_id"),
    /** False of a job that a test key ordered: it has no ledger event, and is deleted after a day. */
    livemode: integer("livemode", { mode: "boolean" }).notNull().default(true),
    renderFingerprint: text("render_fingerprint").notNull(),
    /** Made with the job, shown once the job has succeeded. */
    artifactId: text("artifact_id").notNull(),
    failureCode: text("failure_code").$type<JobFailureCode>(),
    failureMessage: text("failure_message"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    /** How many messages ask for its outputs. */
    messages: integer("messages").notNull().default(1),
    /** Whether it waits for a slot in the queue; see src/domains/jobs/fair-queue-store.ts. */
    isWaiting: integer("is_waiting", { mode: "boolean" }).notNull().default(false),
    /** When its messages were last sent to the queue; null until then, or when the sweep is to send them. */
    dispatchedAt: integer("dispatched_at"),
    /** Set when a job fails: from then on its stored files may be deleted. Null once they are. */
    deleteFilesAfter: integer("purge_after"),
    /** Where the rest of an old pack is; null while it is in its rows. */
    archive: text("archive", { mode: "json" }).$type<PackArchive>(),
  },
  (table) => [
    // Creation times are unique in a workspace, so that a time alone is a cursor that skips nothing.
    uniqueIndex("jobs_by_workspace").on(table.workspaceId, table.createdAt),
    // A job enters it once, when it ends, and no change of an open one touches an index.
    index("jobs_ended")
      .on(table.workspaceId, table.status, table.createdAt)
      .where(sql`finished_at IS NOT NULL`),
    index("jobs_by_fingerprint").on(table.workspaceId, table.renderFingerprint, table.createdAt),
    // By workspace: those in the queue, and those that wait for a place in it, in the order in which they get one.
    index("jobs_open")
      .on(table.workspaceId, table.isWaiting, table.dispatchedAt, table.createdAt, table.messages)
      .where(sql`finished_at IS NULL`),
    index("jobs_open_by_workspace").on(table.workspaceId, table.createdAt).where(sql`finished_at IS NULL`),
    // A workspace's test jobs of the day, which are counted with each order; and what the sweep of old ones looks at.
    index("jobs_test").on(table.workspaceId, table.createdAt).where(sql`livemode = 0`),
    index("jobs_test_old").on(table.createdAt).where(sql`livemode = 0`),
    index("jobs_versions").on(table.versionOf).where(sql`version_of IS NOT NULL`),
    index("jobs_purging").on(table.deleteFilesAfter).where(sql`purge_after IS NOT NULL`),
  ],
);

/**
 * The parts of open jobs: the outputs that one message asks for, leased, drawn and completed together. A row is made at a
 * part's first claim and deleted when its job succeeds.
 */
export const jobParts = sqliteTable(
  "job_parts",
  {
    jobId: foreignId("job_id", () => jobs.jobId),
    /** From 0; see jobs/part-store.ts. */
    part: integer("part").notNull(),
    attempts: integer("attempts").notNull(),
    /** Null while nobody draws it. */
    leaseId: text("lease_id"),
    leaseUntil: integer("lease_until"),
    /** How many of its outputs are drawn: all, or none. */
    outputsDone: integer("outputs_done").notNull().default(0),
    /** The files of its outputs once they are drawn, until the artifact has them. */
    files: text("files", { mode: "json" }).$type<readonly DrawnFile[]>(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.part] })],
);
