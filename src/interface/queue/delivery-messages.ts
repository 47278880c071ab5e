import { z } from "zod";
import { markDispatched, pendingDeliveries } from "#domains/deliveries/dispatch-store.ts";
import { dispatchOf, sharedMembers } from "./messages.ts";

/** Asks for a delivery to be attempted. Names it only; everything else is read when it arrives. */
export const deliveryMessageSchema = z.strictObject({ ...sharedMembers, deliveryId: z.uuid() });

/**
 * A delivery whose workspace or destination has as many attempts under way as it may is sent when one of those ends. Also
 * the end of a job and a low balance write deliveries.
 */
export const { sendPending: sendPendingDeliveries, enqueue: enqueueDeliveries } = dispatchOf({
  pending: (db, nowMs, limit) => pendingDeliveries.all(db, { nowMs, limit }),
  messageOf: ({ deliveryId }) => ({ deliveryId }),
  markDispatched: (db, deliveries, nowMs) => {
    const deliveryIds = JSON.stringify(deliveries.map(({ deliveryId }) => deliveryId));
    return markDispatched.run(db, { deliveryIds, nowMs });
  },
  unsent: "delivery_messages_unsent",
});
