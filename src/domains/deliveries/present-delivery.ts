import type { z } from "zod";
import { DELIVERY_ATTEMPTS_MAX } from "#api/delivery-rules.ts";
import type { DeliveryBody, deliverySummarySchema } from "#api/schemas/delivery.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import { pick } from "#platform/pick-members.ts";
import type { Delivery, DeliveryFile } from "./delivery-store.ts";

/** A delivery in a list. */
export function presentDeliverySummary(delivery: Delivery): z.infer<typeof deliverySummarySchema> {
  const isMessage = delivery.kind === "webhook";
  return {
    ...pick(delivery, "deliveryId", "destinationId", "kind", "eventType"),
    ...pick(delivery, "artifactId", "jobId", "status", "attempts"),
    attemptsMax: DELIVERY_ATTEMPTS_MAX,
    progress: isMessage
      ? { total: 1, completed: delivery.status === "succeeded" ? 1 : 0 }
      : { total: delivery.filesTotal, completed: delivery.filesDone },
    failure:
      delivery.failureCode === null
        ? null
        : {
            code: delivery.failureCode,
            message: delivery.failureMessage ?? "",
            receiverStatus: delivery.receiverStatus,
          },
    // Null while the delivery is running: the column then contains the lease's end, which means nothing to a client.
    nextAttemptAt: delivery.status === "running" ? null : toTimestampOrNull(delivery.nextAttemptAtMs),
    createdAt: toTimestamp(delivery.createdAtMs),
    finishedAt: toTimestampOrNull(delivery.finishedAtMs),
  };
}

export const presentDelivery = (delivery: Delivery, files: readonly DeliveryFile[]): DeliveryBody => ({
  ...presentDeliverySummary(delivery),
  files: files.map(({ fileName, byteLength, deliveredAtMs }) => ({
    fileName,
    byteLength,
    deliveredAt: toTimestampOrNull(deliveredAtMs),
  })),
});
