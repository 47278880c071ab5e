import { sql } from "drizzle-orm";
import { mailMessages } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { dispatchOf } from "#platform/leased-work/dispatch.ts";
import { mailRows } from "./mail-attempt-store.ts";

/** Due mails without a message, longest due first. */
const pendingMail = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .read(mailMessages, { id: mailMessages.messageId })
    .where(
      sql`${mailMessages.nextAttemptAt} is not null and ${mailMessages.nextAttemptAt} <= ${given.nowMs}
        and ${mailMessages.dispatchedAt} is null`,
    )
    .orderBy(mailMessages.nextAttemptAt)
    .limit(given.limit),
);

/**
 * `sendPending` also sends messages for mails that triggers inserted, and for digests, which are due at the end of an
 * hour.
 */
export const { sendPending: sendPendingMail, enqueue: enqueueMail } = dispatchOf(mailRows, pendingMail);
