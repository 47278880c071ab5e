import { z } from "zod";
import { markMailDispatched, pendingMail } from "#domains/mail/dispatch-store.ts";
import { dispatchOf, sharedMembers } from "./messages.ts";

/** Asks for a mail to be sent. Names it only; everything else is read when it arrives. */
export const mailMessageSchema = z.strictObject({ ...sharedMembers, messageId: z.uuid() });

/** Triggers write mail as well, and a digest is due at the end of its hour. */
export const { sendPending: sendPendingMail, enqueue: enqueueMail } = dispatchOf({
  pending: (db, nowMs, limit) => pendingMail.all(db, { nowMs, limit }),
  markDispatched: (db, mails, nowMs) => {
    const messageIds = JSON.stringify(mails.map(({ messageId }) => messageId));
    return markMailDispatched.run(db, { messageIds, nowMs });
  },
  unsent: "mail_messages_unsent",
});
