import { sql } from "drizzle-orm";
import { MAIL_ATTEMPTS_MAX, MAIL_LIMITS, type MailFailureCode } from "#api/mail-rules.ts";
import { type Claim, type Lease, leasedRows, type MessageAttempt } from "#platform/db/leased-rows.ts";
import { mailMessages } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { isSuppressed } from "./suppression-store.ts";

/** SQL of attempts to send mail, and of expired mail. Leases: src/platform/db/leased-rows.ts. */

export const mailRows = leasedRows({
  name: "mail",
  messageKey: "messageId",
  table: mailMessages,
  id: mailMessages.messageId,
  leaseMs: MAIL_LIMITS.leaseMs,
  attemptsMax: MAIL_ATTEMPTS_MAX,
});
const { isHeld } = mailRows;

/** Starts an attempt at a mail that has not expired. */
export const claimMail = statement((given: Given<Claim>) =>
  query
    .update(mailMessages)
    .set({ status: "sending", ...mailRows.claimed(given) })
    .where(sql`${mailRows.isClaimable(given)} and ${mailMessages.expiresAt} > ${given.nowMs}`)
    .returning({
      ...pick(mailMessages, "messageId", "reference", "kind", "address", "language"),
      ...pick(mailMessages, "facts", "sealed", "attempts"),
      expiresAtMs: mailMessages.expiresAt,
      isSuppressed: isSuppressed(mailMessages.address).mapWith(Boolean),
    }),
);
export type ClaimedMail = RowOf<typeof claimMail>;

/** Columns of a finished mail (sent, suppressed or failed); its link is deleted. */
const ended = (given: Given<{ nowMs: number }>) => ({
  nextAttemptAt: null,
  leaseId: null,
  sealed: null,
  finishedAt: given.nowMs,
});

const failed = (given: Given<{ nowMs: number }>, failureCode: MailFailureCode) => ({
  ...ended(given),
  status: "failed" as const,
  failureCode,
});

/** Fails an unleased mail that has used all its attempts, because the last attempt crashed. */
export const endExhaustedMail = statement((given: Given<MessageAttempt>) =>
  query.update(mailMessages).set(failed(given, "EXHAUSTED")).where(mailRows.isExhausted(given)),
);

/** Fails an unleased mail that has expired. */
export const endExpiredMail = statement((given: Given<MessageAttempt>) =>
  query
    .update(mailMessages)
    .set(failed(given, "EXPIRED"))
    .where(sql`${mailRows.isUnleased(given)} and ${mailMessages.expiresAt} <= ${given.nowMs}`),
);

/** Fails expired mails without a running attempt. Called by the sweep, whether or not mail is configured. */
export const expireMail = statement((given: Given<{ nowMs: number; limit: number }>) =>
  query
    .update(mailMessages)
    .set(failed(given, "EXPIRED"))
    .where(
      sql`${mailMessages.messageId} in (select ${mailMessages.messageId} from ${mailMessages}
        where ${mailMessages.nextAttemptAt} is not null and ${mailMessages.expiresAt} <= ${given.nowMs}
          and (${mailMessages.status} = 'queued' or ${mailMessages.nextAttemptAt} <= ${given.nowMs})
        limit ${given.limit})`,
    ),
);

/** Finishes a mail with its result, and deletes its link. */
export const settleMail = statement(
  (
    given: Given<
      Lease & {
        status: "sent" | "suppressed" | "failed";
        failureCode: MailFailureCode | null;
        nowMs: number;
      }
    >,
  ) =>
    query
      .update(mailMessages)
      .set({ ...ended(given), status: given.status, failureCode: given.failureCode })
      .where(isHeld(given)),
);

/** Ends an attempt without a result; the queue redelivers the message when the next attempt is due. */
export const delayMail = statement((given: Given<Lease & { nextAttemptAtMs: number; nowMs: number }>) =>
  query
    .update(mailMessages)
    .set({
      status: "queued",
      leaseId: null,
      nextAttemptAt: given.nextAttemptAtMs,
      dispatchedAt: given.nowMs,
    })
    .where(isHeld(given)),
);

/** Deletes at most `limit` mails that were finished before a time. */
export const deleteEndedMail = statement((given: Given<{ endedBeforeMs: number; limit: number }>) =>
  query.deleteFirst(
    mailMessages,
    mailMessages.messageId,
    sql`${mailMessages.finishedAt} is not null and ${mailMessages.finishedAt} <= ${given.endedBeforeMs}`,
    mailMessages.finishedAt,
    given.limit,
  ),
);
