import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { MAIL_FAILURE_CODES, MAIL_KINDS, MAIL_LANGUAGES } from "#api/mail-rules.ts";

/** The outbox of emails, and suppressed addresses. */

/** The outbox. Rows are written in the same transaction as their cause, some by triggers (migrations/0021). */
export const mailMessages = sqliteTable(
  "mail_messages",
  {
    messageId: text("message_id").primaryKey(),
    /** Identifies the cause; unique, so that a cause sends one email. */
    reference: text("reference").notNull(),
    kind: text("kind", { enum: MAIL_KINDS }).notNull(),
    /** Lower case. */
    address: text("address").notNull(),
    language: text("language", { enum: MAIL_LANGUAGES }).notNull(),
    /** The template's data as JSON; nothing secret. */
    facts: text("facts", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
    /** The encrypted link that grants access; null if the email has none, or once it is sent or has failed. */
    sealed: text("sealed"),
    status: text("status", { enum: ["queued", "sending", "sent", "suppressed", "failed"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Due time of the next attempt; during an attempt, the lease's expiry. Null once sent, suppressed or failed. */
    nextAttemptAt: integer("next_attempt_at"),
    leaseId: text("lease_id"),
    /** When its queue message was sent; null if a message must be sent. */
    dispatchedAt: integer("dispatched_at"),
    failureCode: text("failure_code", { enum: MAIL_FAILURE_CODES }),
    createdAt: integer("created_at").notNull(),
    /** An email that has not been sent by then is no longer useful and fails. */
    expiresAt: integer("expires_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    uniqueIndex("mail_messages_reference").on(table.reference),
    index("mail_messages_due").on(table.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
    index("mail_messages_expiring").on(table.expiresAt).where(sql`next_attempt_at IS NOT NULL`),
    // For counting recent emails to an address.
    index("mail_messages_by_address").on(table.address, table.createdAt),
    index("mail_messages_ended").on(table.finishedAt).where(sql`finished_at IS NOT NULL`),
  ],
);

/** Addresses with a permanent bounce or a complaint: they get no more emails. */
export const mailSuppressions = sqliteTable("mail_suppressions", {
  /** Lower case. */
  address: text("address").primaryKey(),
  reason: text("reason", { enum: ["bounced", "complained"] }).notNull(),
  createdAt: integer("created_at").notNull(),
});
