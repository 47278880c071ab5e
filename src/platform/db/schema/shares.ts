import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { artifacts } from "./artifacts.ts";
import { foreignId } from "./foreign-id.ts";
import { workspaces } from "./workspaces.ts";

/** Links through which people without an account see a pack, and their feedback. */

/** Verdicts on single sizes, by the id of their file. */
export type FileVerdicts = Readonly<Record<string, "approved" | "changes-requested">>;

export const shares = sqliteTable(
  "shares",
  {
    shareId: text("share_id").primaryKey(),
    workspaceId: foreignId("workspace_id", () => workspaces.workspaceId),
    artifactId: foreignId("artifact_id", () => artifacts.artifactId),
    /** Shown to members and visitors; empty for none. */
    name: text("name").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The account that created it and gets emails about verdicts; null if an API key created it. */
    createdBy: text("created_by"),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
    /** The sender's message to visitors; empty for none. */
    message: text("message").notNull().default(""),
    /** Date by which the sender asks for an answer. */
    dueAt: integer("due_at"),
    /** Whether visitors see the delivered files instead of watermarked images. */
    isClean: integer("is_clean", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("shares_by_artifact").on(table.artifactId, table.shareId),
    // For the sweep.
    index("shares_expiring").on(table.expiresAt),
  ],
);

export const shareComments = sqliteTable(
  "share_comments",
  {
    commentId: text("comment_id").primaryKey(),
    shareId: foreignId("share_id", () => shares.shareId),
    /** The commented file; null for the pack. */
    fileId: text("file_id"),
    /** The visitor's name, as entered and unverified. */
    name: text("name").notNull(),
    text: text("text").notNull(),
    verdict: text("verdict", { enum: ["approved", "changes-requested"] }),
    createdAt: integer("created_at").notNull(),
    /** Verdicts on single sizes, by file id. `verdict` is about the whole pack. */
    fileVerdicts: text("file_verdicts", { mode: "json" }).$type<FileVerdicts>().notNull().default({}),
    /** The commented point of the image, as fractions of width and height; null for none. */
    pinX: real("pin_x"),
    pinY: real("pin_y"),
    /** The comment that it answers. */
    replyTo: text("reply_to"),
    /** Whether a member of the workspace wrote it. */
    isMember: integer("is_member", { mode: "boolean" }).notNull().default(false),
    resolvedAt: integer("resolved_at"),
  },
  (table) => [
    index("share_comments_by_share").on(table.shareId, table.commentId),
    index("share_comments_verdicts").on(table.shareId, table.commentId).where(sql`verdict IS NOT NULL`),
  ],
);
