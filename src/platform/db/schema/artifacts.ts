import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { foreignId } from "./foreign-id.ts";
import { jobs } from "./jobs.ts";
import type { FileDetails, PackFile } from "./pack-files.ts";
import { workspaces } from "./workspaces.ts";

/** Finished packs. */

export const artifacts = sqliteTable(
  "artifacts",
  {
    artifactId: text("artifact_id").primaryKey(),
    jobId: foreignId("job_id", () => jobs.jobId),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    status: text("status", { enum: ["ready", "expired"] }).notNull(),
    engineVersion: text("engine_version").notNull(),
    totalBytes: integer("total_bytes").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** When its files were deleted after it expired. */
    filesDeletedAt: integer("purged_at"),
    /** In the order of the pack's sizes. */
    files: text("files", { mode: "json" }).$type<readonly PackFile[]>().notNull().default([]),
    /** SHA-256 of the stored manifest, lower-case hex; null for packs older than the manifest object. */
    manifestSha256: text("manifest_sha256"),
    /** The manifest's content, for packs older than the manifest object. */
    fileDetails: text("file_details", { mode: "json" }).$type<readonly FileDetails[]>(),
  },
  // No index by job is needed, because a job's row contains the id of its artifact.
  (table) => [
    index("artifacts_expiring").on(table.expiresAt).where(sql`purged_at IS NULL`),
    // By day of file deletion, without packs that are already archived.
    index("artifacts_old")
      .on(sql`purged_at / 86400000`, table.workspaceId)
      .where(sql`purged_at IS NOT NULL AND files <> '[]'`),
  ],
);
