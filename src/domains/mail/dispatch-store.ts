import { inArray, sql } from "drizzle-orm";
import { RESEND_AFTER_MS, STALE_MS } from "#platform/db/lease.ts";
import { mailMessages } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";

/** SQL of the queue messages of mail: which mails need one, and which have one. */

/** Due mails without a message, the longest due first. */
export const pendingMail = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .from(mailMessages, "messageId")
    .where(
      sql`${mailMessages.nextAttemptAt} is not null and ${mailMessages.nextAttemptAt} <= ${given.nowMs}
        and ${mailMessages.dispatchedAt} is null`,
    )
    .orderBy(mailMessages.nextAttemptAt)
    .limit(given.limit),
);

/** Notes that messages for the mails were sent: a JSON array of their ids. */
export const markMailDispatched = statement((given: Given<{ messageIds: string; nowMs: number }>) =>
  query
    .update(mailMessages)
    .set({ dispatchedAt: given.nowMs })
    .where(inArray(mailMessages.messageId, sql`(select value from json_each(${given.messageIds}))`)),
);

/** Lets due mails have another message whose own may be lost. A message too many does no harm. */
export const releaseLostMail = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .update(mailMessages)
    .set({ dispatchedAt: null })
    .where(
      sql`${mailMessages.messageId} in (select ${mailMessages.messageId} from ${mailMessages}
        where ${mailMessages.nextAttemptAt} is not null and ${mailMessages.nextAttemptAt} <= ${given.nowMs} - ${STALE_MS}
          and ${mailMessages.dispatchedAt} <= ${given.nowMs} - ${RESEND_AFTER_MS} limit ${given.limit})`,
    ),
);
