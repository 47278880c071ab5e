import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { MAIL_FAILURE_CODES, MAIL_KINDS, MAIL_LANGUAGES } from "#api/mail-rules.ts";

/** Mail that is to be sent, and addresses that take none. */

/** The outbox. Its rows stand in the batch of what they tell of; triggers write some (migrations/0021). */
export const mailMessages = sqliteTable(
  "mail_messages",
  {
    messageId: text("message_id").primaryKey(),
    /** Says what the mail is for; unique, so that one cause sends one mail. */
    reference: text("reference").notNull(),
    kind: text("kind", { enum: MAIL_KINDS }).notNull(),
    /** Lower case. */
    address: text("address").notNull(),
    language: text("language", { enum: MAIL_LANGUAGES }).notNull(),
    /** What the template shows, as JSON; nothing secret. */
    facts: text("facts", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    /** The link that opens something, encrypted; null where the mail has none, and once it has ended. */
    sealed: text("sealed"),
    status: text("status", { enum: ["queued", "sending", "sent", "suppressed", "failed"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When the next attempt is due; while one is under way, when its lease ends; null once it has ended. */
    nextAttemptAt: integer("next_attempt_at"),
    leaseId: text("lease_id"),
    /** When its queue message was sent; null while it needs one. */
    dispatchedAt: integer("dispatched_at"),
    failureCode: text("failure_code", { enum: MAIL_FAILURE_CODES }),
    createdAt: integer("created_at").notNull(),
    /** A mail that could not be sent by then is of no use, and ends as failed. */
    expiresAt: integer("expires_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    uniqueIndex("mail_messages_reference").on(table.reference),
    index("mail_messages_due").on(table.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
    index("mail_messages_expiring").on(table.expiresAt).where(sql`next_attempt_at IS NOT NULL`),
    // How many an address was sent lately.
    index("mail_messages_by_address").on(table.address, table.createdAt),
    index("mail_messages_ended").on(table.finishedAt).where(sql`finished_at IS NOT NULL`),
  ],
);

/** Addresses that bounced for good, or whose owner complained: they are sent nothing more. */
export const mailSuppressions = sqliteTable("mail_suppressions", {
  /** Lower case. */
  address: text("address").primaryKey(),
  reason: text("reason", { enum: ["bounced", "complained"] }).notNull(),
  createdAt: integer("created_at").notNull(),
});
