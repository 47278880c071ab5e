import { attemptMail, type MailServices } from "#domains/mail/attempt-mail.ts";
import { type ClaimedMail, claimMail } from "#domains/mail/attempt-store.ts";
import { settleAttempt, settleUnclaimedMail } from "#domains/mail/mail-lease.ts";
import { suppressAddress } from "#domains/mail/suppression-store.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import { mailMessageSchema } from "./mail-messages.ts";
import {
  consumeMessages,
  DONE,
  EXHAUSTED,
  type MessagePart,
  type MessageResult,
  retryAfter,
} from "./messages.ts";

const SERVICE_RETRY_MS = 30_000;

/** What mail and its dead letters have in common. */
const MAIL_MESSAGES = {
  schema: mailMessageSchema,
  idsOf: ({ messageId }: { readonly messageId: string }) => ({ mailId: messageId }),
  retryDelayMs: () => SERVICE_RETRY_MS,
};

/** Attempts the mails that the messages name. A message is sent again when the next attempt is due. */
export const consumeMail = (batch: MessagePart, services: MailServices): Promise<void> =>
  consumeMessages(batch, {
    ...MAIL_MESSAGES,
    events: {
      unreadable: "mail_message_unreadable",
      failed: "mail_unsettled",
      exhausted: "mail_exhausted",
    },
    attempt: async ({ messageId }, { messageId: queueMessageId, leaseId }) => {
      const { db } = services;
      const attempt = { messageId, queueMessageId, nowMs: clock.now() };
      const claimed = await claimMail.first(db, { ...attempt, leaseId });
      if (claimed !== null) return attemptClaimed(services, claimed, leaseId);
      return (await settleUnclaimedMail(db, attempt)) === "exhausted" ? EXHAUSTED : DONE;
    },
  });

/** Attempts a mail that was claimed, and settles it. What is thrown leaves the lease to the message's next attempt. */
async function attemptClaimed(
  services: MailServices,
  claimed: ClaimedMail,
  leaseId: string,
): Promise<MessageResult> {
  const startedAtMs = clock.now();
  const result = await attemptMail(services, claimed);
  log.line({
    event: `mail_${result.kind}`,
    mailId: claimed.messageId,
    attempt: claimed.attempts,
    durationMs: clock.now() - startedAtMs,
    code: claimed.kind,
  });
  const { db, directory } = services;
  if (result.kind === "suppressed" && result.reason !== null && db !== directory) {
    const suppressed = { address: claimed.address, reason: result.reason, nowMs: clock.now() };
    await suppressAddress.run(directory, suppressed);
  }
  const settled = await settleAttempt(services.db, claimed, leaseId, result, clock.now());
  if (settled.kind === "delayed") return retryAfter(settled.seconds * 1_000);
  return settled.kind === "exhausted" ? EXHAUSTED : DONE;
}

/** Settles the mails of dead letters: one with attempts left waits for another message. */
export const consumeDeadMail = (batch: MessagePart, db: D1Database): Promise<void> =>
  consumeMessages(batch, {
    ...MAIL_MESSAGES,
    events: {
      unreadable: "dead_mail_unreadable",
      failed: "dead_mail_unsettled",
      exhausted: "dead_mail_exhausted",
      pending: "dead_mail_pending",
    },
    // A queue message of its own: an attempt of another one that is under way is left to that.
    attempt: async ({ messageId }) => ({
      kind: await settleUnclaimedMail(db, { messageId, queueMessageId: newId(), nowMs: clock.now() }),
    }),
  });
