import { attemptDelivery, type DeliveryServices } from "../deliveries/attempt-delivery.ts";
import { settleDelivered, settlePaused } from "../deliveries/attempt-store.ts";
import { claimDelivery, leaseOf, settleGivenUp, settleUnclaimed } from "../deliveries/claim-delivery.ts";
import { attemptFailed } from "../deliveries/delivery.ts";
import { type Delivery, deliveryById } from "../deliveries/delivery-store.ts";
import type { StoreResult } from "../deliveries/send-to-store.ts";
import { type Attempt, settleFailure } from "../deliveries/settle-delivery.ts";
import { clock } from "../platform/clock.ts";
import { newId } from "../platform/ids.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { deliveryMessageSchema } from "./delivery-message.ts";

/** Seconds until a message comes again for which the service itself failed. */
const FAULT_RETRY_SECONDS = 30;

/** Carries out what the messages name. Each is acknowledged, or comes again when the next attempt is due. */
export async function consumeDeliveries(batch: MessageBatch, services: DeliveryServices): Promise<void> {
  for (const message of batch.messages) {
    const parsed = deliveryMessageSchema.safeParse(message.body);
    if (!parsed.success) {
      log.failure({ event: "delivery_message_unreadable" });
      message.ack();
      continue;
    }
    const { deliveryId } = parsed.data;
    try {
      const seconds = await deliver(services, deliveryId, message.id);
      if (seconds === null) message.ack();
      else message.retry({ delaySeconds: seconds });
    } catch (thrown) {
      log.failure({ event: "delivery_unsettled", deliveryId, errorName: errorNameOf(thrown) });
      message.retry({ delaySeconds: FAULT_RETRY_SECONDS });
    }
  }
}

/** Claims, attempts and settles; gives the seconds to the next attempt, or null when the message has done its work. */
async function deliver(
  services: DeliveryServices,
  deliveryId: string,
  messageId: string,
): Promise<number | null> {
  const { db } = services;
  const claimant = { messageId, leaseId: leaseOf(messageId, newId()) };
  const attempts = await claimDelivery(db, deliveryId, claimant, clock.now());
  if (attempts === null) {
    await settleUnclaimed(db, deliveryId, claimant, clock.now());
    return null;
  }
  const delivery = await deliveryById.first(db, { deliveryId });
  if (delivery === null) throw new Error("a claimed delivery cannot be read");
  const attempt: Attempt = { db, deliveryId, leaseId: claimant.leaseId };
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
  if (result.kind === "lost") return null;
  if (result.kind === "paused") {
    await settlePaused.run(db, { deliveryId, leaseId: attempt.leaseId, nowMs: clock.now() });
    return 0;
  }
  if (result.kind === "failed") {
    return settleFailure(attempt, delivery.destinationId, result, attempts, clock.now());
  }
  const { receiverStatus } = result;
  await settleDelivered.run(db, { deliveryId, leaseId: attempt.leaseId, receiverStatus, nowMs: clock.now() });
  return null;
}

/** A fault of ours is an attempt that failed, and follows the same schedule. */
async function attemptSafely(
  services: DeliveryServices,
  attempt: Attempt,
  delivery: Delivery,
): Promise<StoreResult> {
  try {
    return await attemptDelivery(services, attempt, delivery);
  } catch (thrown) {
    log.failure({
      event: "delivery_fault",
      deliveryId: attempt.deliveryId,
      errorName: errorNameOf(thrown),
    });
    return attemptFailed("SERVICE_FAULT", "The service failed to carry the delivery out.");
  }
}

/** Settles deliveries whose messages the queue gave up: those with attempts left wait for another message. */
export async function consumeDeadDeliveries(batch: MessageBatch, db: D1Database): Promise<void> {
  for (const message of batch.messages) {
    const parsed = deliveryMessageSchema.safeParse(message.body);
    if (!parsed.success) {
      log.failure({ event: "dead_delivery_unreadable" });
      message.ack();
      continue;
    }
    const { deliveryId } = parsed.data;
    try {
      const became = await settleGivenUp(db, deliveryId, clock.now());
      if (became !== "settled") log.failure({ event: `dead_delivery_${became}`, deliveryId });
      message.ack();
    } catch (thrown) {
      log.failure({ event: "dead_delivery_unsettled", deliveryId, errorName: errorNameOf(thrown) });
      message.retry({ delaySeconds: FAULT_RETRY_SECONDS });
    }
  }
}
