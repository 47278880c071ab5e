import { sql } from "drizzle-orm";
import { MAIL_ATTEMPTS_MAX, MAIL_LIMITS, type MailFailureCode } from "#api/mail-rules.ts";
import { EARLY_MS_MAX, isHeldByMessage } from "#platform/db/lease.ts";
import { mailMessages } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { isSuppressed } from "./suppression-store.ts";

/** SQL of the attempts to send mail: who holds the lease, how they end, and which expire. */

/** `queueMessageId` is the queue's, `messageId` the mail's. */
type MessageAttempt = {
  readonly messageId: string;
  readonly queueMessageId: string;
  readonly nowMs: number;
};

/** An open mail that may be attempted now: one is due, or the lease has ended (both times are `next_attempt_at`). */
const isDue = (given: Given<{ messageId: string; nowMs: number }>) =>
  sql`${mailMessages.messageId} = ${given.messageId} and ${mailMessages.nextAttemptAt} is not null
    and ${mailMessages.nextAttemptAt} <= ${given.nowMs} + ${EARLY_MS_MAX}`;

/** The same, or an earlier attempt of this queue message holds the lease and has therefore crashed. */
const isFree = (given: Given<MessageAttempt>) =>
  sql`(${isDue(given)} or ${mailMessages.messageId} = ${given.messageId} and ${mailMessages.status} = 'sending'
    and ${isHeldByMessage(mailMessages.leaseId, given.queueMessageId)})`;

/** Begins an attempt: takes the lease and counts the attempt, if the mail is free and still of use. */
export const claimMail = statement((given: Given<MessageAttempt & { leaseId: string }>) =>
  query
    .update(mailMessages)
    .set({
      status: "sending",
      attempts: sql`${mailMessages.attempts} + 1`,
      leaseId: given.leaseId,
      nextAttemptAt: sql`${given.nowMs} + ${MAIL_LIMITS.leaseMs}`,
    })
    .where(
      sql`${isFree(given)} and ${mailMessages.attempts} < ${MAIL_ATTEMPTS_MAX}
        and ${mailMessages.expiresAt} > ${given.nowMs}`,
    )
    .returning({
      messageId: mailMessages.messageId,
      reference: mailMessages.reference,
      kind: mailMessages.kind,
      address: mailMessages.address,
      language: mailMessages.language,
      facts: mailMessages.facts,
      sealed: mailMessages.sealed,
      attempts: mailMessages.attempts,
      expiresAtMs: mailMessages.expiresAt,
      isSuppressed: isSuppressed(mailMessages.address).mapWith(Boolean),
    }),
);
export type ClaimedMail = RowOf<typeof claimMail>;

/** What every ended mail has: its link is gone. */
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

/** Ends a free mail that had all its attempts, the last of which crashed. */
export const endExhaustedMail = statement((given: Given<MessageAttempt>) =>
  query
    .update(mailMessages)
    .set(failed(given, "EXHAUSTED"))
    .where(sql`${isFree(given)} and ${mailMessages.attempts} >= ${MAIL_ATTEMPTS_MAX}`),
);

/** Ends a free mail that is of no use any more. */
export const endExpiredMail = statement((given: Given<MessageAttempt>) =>
  query
    .update(mailMessages)
    .set(failed(given, "EXPIRED"))
    .where(sql`${isFree(given)} and ${mailMessages.expiresAt} <= ${given.nowMs}`),
);

/** Lets a free mail have another queue message. */
export const releaseMailMessage = statement((given: Given<MessageAttempt>) =>
  query.update(mailMessages).set({ dispatchedAt: null }).where(isFree(given)),
);

/** Ends the mails whose time has passed, where no attempt is under way. The sweep's, whether mail is configured or not. */
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

type Lease = { readonly messageId: string; readonly leaseId: string };

const isHeld = (given: Given<Lease>) =>
  sql`${mailMessages.messageId} = ${given.messageId} and ${mailMessages.leaseId} = ${given.leaseId}
    and ${mailMessages.status} = 'sending'`;

/** Ends a mail with its result, and deletes its link. */
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

/** Ends an attempt without a result: the same queue message comes again when the next one is due. */
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

/** Deletes at most `limit` mails that ended before a time. */
export const deleteEndedMail = statement((given: Given<{ endedBeforeMs: number; limit: number }>) =>
  query.deleteFirst(
    mailMessages,
    mailMessages.messageId,
    sql`${mailMessages.finishedAt} is not null and ${mailMessages.finishedAt} <= ${given.endedBeforeMs}`,
    mailMessages.finishedAt,
    given.limit,
  ),
);
