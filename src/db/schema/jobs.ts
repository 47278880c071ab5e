import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { OutputFormat } from "../../contract/catalogue/types.ts";
import { workspaces } from "./workspaces.ts";

/** Jobs and their outputs, one a size. */

export const jobs = sqliteTable(
  "jobs",
  {
    jobId: text("job_id").primaryKey(),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.workspaceId),
    status: text("status", { enum: ["queued", "running", "succeeded", "failed", "canceled"] }).notNull(),
    contractId: text("contract_id").notNull(),
    motion: text("motion", { enum: ["static", "animated"] }).notNull(),
    outputFormat: text("output_format").$type<OutputFormat>().notNull(),
    /** In the request's own order. */
    selectedSizeIds: text("selected_size_ids", { mode: "json" }).$type<readonly string[]>().notNull(),
    /** JSON: slot → asset id. */
    assetIds: text("asset_ids").notNull(),
    copy: text("copy").notNull(),
    brand: text("brand").notNull(),
    /** JSON: slot → { objectKey, mimeType, sha256 }, fixed at creation so that a later delete changes nothing. */
    renderInputs: text("render_inputs").notNull(),
    costCredits: integer("cost_credits").notNull(),
    renderFingerprint: text("render_fingerprint").notNull(),
    /** Made with the job, shown once the job has succeeded. */
    artifactId: text("artifact_id").notNull(),
    failureCode: text("failure_code"),
    failureMessage: text("failure_message"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    /** When its messages were last sent to the queue; null until then. The sweep sends what is overdue. */
    dispatchedAt: integer("dispatched_at"),
    /** Set when a job fails: from then on its stored files may be removed. Null once they are. */
    purgeAfter: integer("purge_after"),
  },
  (table) => [
    uniqueIndex("jobs_artifact").on(table.artifactId),
    // Creation times are unique in a workspace, so that a time alone is a cursor that skips nothing.
    uniqueIndex("jobs_by_workspace").on(table.workspaceId, table.createdAt),
    index("jobs_by_status").on(table.workspaceId, table.status, table.createdAt),
    index("jobs_by_fingerprint").on(table.workspaceId, table.renderFingerprint, table.createdAt),
    index("jobs_open").on(table.dispatchedAt).where(sql`status IN ('queued', 'running')`),
    index("jobs_purging").on(table.purgeAfter).where(sql`purge_after IS NOT NULL`),
  ],
);

export const jobOutputs = sqliteTable(
  "job_outputs",
  {
    jobId: text("job_id")
      .notNull()
      .references(() => jobs.jobId),
    position: integer("position").notNull(),
    sizeId: text("size_id").notNull(),
    status: text("status", { enum: ["queued", "running", "done", "failed"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    leaseId: text("lease_id"),
    leaseUntil: integer("lease_until"),
    /** JSON array of the files it made, written when it is done; see artifacts/artifact.ts. */
    files: text("files"),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.position] }),
    uniqueIndex("job_outputs_by_size").on(table.jobId, table.sizeId),
  ],
);
