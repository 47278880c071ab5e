import { markDispatched, pendingDeliveries } from "../deliveries/dispatch-store.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import type { DeliveryMessage } from "./delivery-message.ts";

/** The queue takes at most 100 messages a call. */
const MESSAGES_PER_SEND_MAX = 100;

/**
 * Sends messages for open deliveries that have none and whose attempts have a place; gives their number. Throws when the
 * queue refuses. Those without a place are sent by whoever ends an attempt.
 */
export async function sendUnsentDeliveries(queue: Queue, db: D1Database, nowMs: number): Promise<number> {
  const pending = await pendingDeliveries.all(db, { nowMs, limit: MESSAGES_PER_SEND_MAX });
  if (pending.length === 0) return 0;
  const messages = pending.map((body: DeliveryMessage) => ({ body }));
  await queue.sendBatch(messages);
  const deliveryIds = JSON.stringify(pending.map(({ deliveryId }) => deliveryId));
  await markDispatched.run(db, { deliveryIds, nowMs });
  return pending.length;
}

/**
 * Sends what has just been written, also what a job's end or a balance has written of itself. Never throws: when
 * sending fails, the sweep sends.
 */
export async function announceDeliveries(queue: Queue, db: D1Database): Promise<void> {
  try {
    await sendUnsentDeliveries(queue, db, clock.now());
  } catch (thrown) {
    log.failure({ event: "delivery_messages_unsent", errorName: errorNameOf(thrown) });
  }
}
