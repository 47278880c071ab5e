import { z } from "zod";
import { markDispatched, pendingDeliveries } from "../deliveries/dispatch-store.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { MESSAGES_PER_SEND_MAX, sendMessages } from "./messages.ts";

/** Asks for a delivery to be attempted. Names it only; everything else is read when it arrives. */
export const deliveryMessageSchema = z.strictObject({ deliveryId: z.uuid() });

/**
 * Sends messages for pending deliveries that may be attempted now; returns their number. Throws when the queue refuses.
 * A delivery whose workspace or destination has as many attempts under way as it may is sent when one of those ends.
 */
export async function sendPendingDeliveries(queue: Queue, db: D1Database, nowMs: number): Promise<number> {
  const messages = await pendingDeliveries.all(db, { nowMs, limit: MESSAGES_PER_SEND_MAX });
  if (messages.length === 0) return 0;
  await sendMessages(queue, messages);
  const deliveryIds = JSON.stringify(messages.map(({ deliveryId }) => deliveryId));
  await markDispatched.run(db, { deliveryIds, nowMs });
  return messages.length;
}

/**
 * Enqueues deliveries that were just written, also by the end of a job or by a low balance. Never throws: when sending
 * fails, the sweep sends.
 */
export async function enqueueDeliveries(queue: Queue, db: D1Database): Promise<void> {
  try {
    await sendPendingDeliveries(queue, db, clock.now());
  } catch (thrown) {
    log.failure({ event: "delivery_messages_unsent", errorName: errorNameOf(thrown) });
  }
}
