import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ArtifactBody, FILE_CONTENT_TYPES } from "../../api/schemas/artifact.ts";
import { foreignId } from "./foreign-id.ts";
import { jobs } from "./jobs.ts";
import { workspaces } from "./workspaces.ts";

/** Finished packs and their files. */

type FileBody = ArtifactBody["files"][number];

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
    /** When its files were deleted after it had expired. */
    filesDeletedAt: integer("purged_at"),
  },
  (table) => [
    uniqueIndex("artifacts_by_job").on(table.jobId),
    index("artifacts_expiring").on(table.expiresAt).where(sql`purged_at IS NULL`),
  ],
);

export const artifactFiles = sqliteTable(
  "artifact_files",
  {
    fileId: text("file_id").primaryKey(),
    artifactId: foreignId("artifact_id", () => artifacts.artifactId),
    position: integer("position").notNull(),
    sizeId: text("size_id").notNull(),
    role: text("role", { enum: ["primary", "backup"] }).notNull(),
    /** Unique in the pack. */
    fileName: text("file_name").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    contentType: text("content_type").$type<(typeof FILE_CONTENT_TYPES)[number]>().notNull(),
    byteLength: integer("byte_length").notNull(),
    /** Of the stored bytes, lower-case hex. */
    sha256: text("sha256").notNull(),
    objectKey: text("object_key").notNull(),
    compliance: text("compliance", { mode: "json" }).$type<FileBody["compliance"]>().notNull(),
    layout: text("layout", { mode: "json" }).$type<FileBody["layout"]>().notNull(),
    animation: text("animation", { mode: "json" }).$type<{
      readonly frames: number;
      readonly durationMs: number;
      readonly loops: number;
    }>(),
  },
  (table) => [
    uniqueIndex("artifact_files_by_artifact").on(table.artifactId, table.position),
    uniqueIndex("artifact_files_by_name").on(table.artifactId, table.fileName),
  ],
);
