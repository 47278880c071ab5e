import { attemptDelivery, type DeliveryServices } from "#domains/deliveries/attempt-delivery.ts";
import {
  claim,
  SERVICE_FAULT_MESSAGE,
  settleDelivered,
  settlePaused,
} from "#domains/deliveries/attempt-store.ts";
import { attemptFailed } from "#domains/deliveries/delivery.ts";
import {
  type Attempt,
  settleDeadDelivery,
  settleFailure,
  settleUnclaimed,
} from "#domains/deliveries/delivery-lease.ts";
import { type Delivery, deliveryById } from "#domains/deliveries/delivery-store.ts";
import type { AttemptOutcome } from "#domains/deliveries/s3/send-to-s3.ts";
import { clock } from "#platform/clock.ts";
import { log } from "#platform/log/log.ts";
import { deliveryMessageSchema } from "./delivery-messages.ts";
import {
  consumeMessages,
  DONE,
  EXHAUSTED,
  type MessagePart,
  type MessageResult,
  retryAfter,
} from "./messages.ts";

const SERVICE_RETRY_MS = 30_000;

/** What deliveries and their dead letters have in common. */
const DELIVERY_MESSAGES = {
  schema: deliveryMessageSchema,
  idsOf: ({ deliveryId }: { readonly deliveryId: string }) => ({ deliveryId }),
  retryDelayMs: () => SERVICE_RETRY_MS,
};

/** Attempts the deliveries that the messages name. A message is sent again when the next attempt is due. */
export const consumeDeliveries = (batch: MessagePart, services: DeliveryServices): Promise<void> =>
  consumeMessages(batch, {
    ...DELIVERY_MESSAGES,
    events: {
      unreadable: "delivery_message_unreadable",
      failed: "delivery_unsettled",
      exhausted: "delivery_exhausted",
    },
    attempt: async ({ deliveryId }, { messageId, leaseId }) => {
      const { db } = services;
      const claimed = await claim.first(db, { deliveryId, messageId, leaseId, nowMs: clock.now() });
      if (claimed !== null) return attemptClaimed(services, { db, deliveryId, leaseId }, claimed.attempts);
      await settleUnclaimed(db, deliveryId, { messageId, leaseId }, clock.now());
      return DONE;
    },
  });

/** Attempts a delivery that was claimed, and settles it. */
async function attemptClaimed(
  services: DeliveryServices,
  attempt: Attempt,
  attempts: number,
): Promise<MessageResult> {
  const { db, deliveryId, leaseId } = attempt;
  const delivery = await deliveryById.first(db, { deliveryId });
  if (delivery === null) throw new Error("a claimed delivery cannot be read");
  const startedAtMs = clock.now();
  const result = await attemptSafely(services, attempt, delivery);
  log.line({
    event: `delivery_${result.kind}`,
    workspaceId: delivery.workspaceId,
    deliveryId,
    attempt: attempts,
    durationMs: clock.now() - startedAtMs,
    ...(result.kind === "failed" ? { code: result.code } : {}),
  });
  switch (result.kind) {
    case "lost":
      return DONE;
    case "paused":
      await settlePaused.run(db, { deliveryId, leaseId, nowMs: clock.now() });
      return retryAfter(0);
    case "failed": {
      const seconds = await settleFailure(attempt, delivery.destinationId, result, attempts, clock.now());
      return seconds === null ? EXHAUSTED : retryAfter(seconds * 1_000);
    }
    case "delivered": {
      const { receiverStatus } = result;
      await settleDelivered.run(db, { deliveryId, leaseId, receiverStatus, nowMs: clock.now() });
      return DONE;
    }
  }
}

/** A fault of ours is an attempt that failed, and follows the same schedule. */
async function attemptSafely(
  services: DeliveryServices,
  attempt: Attempt,
  delivery: Delivery,
): Promise<AttemptOutcome> {
  try {
    return await attemptDelivery(services, attempt, delivery);
  } catch (thrown) {
    log.failure(
      {
        event: "delivery_fault",
        deliveryId: attempt.deliveryId,
        workspaceId: delivery.workspaceId,
      },
      thrown,
    );
    return attemptFailed("SERVICE_FAULT", SERVICE_FAULT_MESSAGE);
  }
}

/** Settles the deliveries of dead letters: one with attempts left waits for another message. */
export const consumeDeadDeliveries = (batch: MessagePart, db: D1Database): Promise<void> =>
  consumeMessages(batch, {
    ...DELIVERY_MESSAGES,
    events: {
      unreadable: "dead_delivery_unreadable",
      failed: "dead_delivery_unsettled",
      exhausted: "dead_delivery_exhausted",
      pending: "dead_delivery_pending",
    },
    attempt: async ({ deliveryId }) => ({ kind: await settleDeadDelivery(db, deliveryId, clock.now()) }),
  });
