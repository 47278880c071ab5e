import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DELIVERY_ATTEMPTS_MAX, DELIVERY_LIMITS, type DeliveryFailureCode } from "#api/delivery-rules.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { EARLY_MS_MAX } from "#platform/db/lease.ts";
import { type Claim, type Lease, leasedRows, type MessageAttempt } from "#platform/db/leased-rows.ts";
import { deliveries, deliveryFiles } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { dead } from "./delivery-store.ts";

/** SQL of delivery attempts. Leases: src/platform/db/leased-rows.ts. */

export const deliveryRows = leasedRows({
  name: "delivery",
  messageKey: "deliveryId",
  table: deliveries,
  id: deliveries.deliveryId,
  leaseMs: DELIVERY_LIMITS.leaseMs,
  attemptsMax: DELIVERY_ATTEMPTS_MAX,
  isSwept: isNotMoving(deliveries.workspaceId),
});
const { isHeld } = deliveryRows;

const others = alias(deliveries, "others");

/** Other running attempts in the delivery's workspace; expired leases do not count. */
const othersUnderWay = (given: Given<MessageAttempt>, condition: SQL = sql`true`) =>
  sql`(select count(*) from ${deliveries} as ${others} where ${others.workspaceId} = ${deliveries.workspaceId}
    and ${others.status} = 'running' and ${others.nextAttemptAt} > ${given.nowMs} + ${EARLY_MS_MAX}
    and ${others.deliveryId} <> ${given.id} and ${condition})`;

/** Starts an attempt, if workspace and destination are below their limits of running attempts. */
export const claimDelivery = statement((given: Given<Claim>) =>
  query
    .update(deliveries)
    .set({ status: "running", ...deliveryRows.claimed(given) })
    .where(
      sql`${deliveryRows.isClaimable(given)}
        and ${othersUnderWay(given)} < ${DELIVERY_LIMITS.attemptsAtOncePerWorkspaceMax}
        and ${othersUnderWay(given, eq(others.destinationId, deliveries.destinationId))}
          < ${DELIVERY_LIMITS.attemptsAtOncePerDestinationMax}`,
    )
    .returning(pick(deliveries, "attempts", "workspaceId", "destinationId")),
);

export const SERVICE_FAULT_MESSAGE = "The service failed to carry the delivery out.";

/** Marks an unleased delivery as dead once it has used all its attempts, because the last attempt crashed. */
export const endExhausted = statement((given: Given<MessageAttempt>) =>
  query
    .update(deliveries)
    .set({ ...dead(given), failureCode: "SERVICE_FAULT", failureMessage: SERVICE_FAULT_MESSAGE })
    .where(deliveryRows.isExhausted(given)),
);

/** Makes the next attempt due at once. The current attempt is not counted, because it made progress. */
export const settlePaused = statement((given: Given<Lease & { nowMs: number }>) =>
  query
    .update(deliveries)
    .set({
      status: "retrying",
      attempts: sql`${deliveries.attempts} - 1`,
      nextAttemptAt: given.nowMs,
      leaseId: null,
    })
    .where(isHeld(given)),
);

/** Ends an attempt: the delivery has succeeded or is dead, or the next attempt is due at `nextAttemptAtMs`. */
export const settleAttempt = statement(
  (
    given: Given<
      Lease & {
        status: "succeeded" | "dead" | "retrying";
        finishedAtMs: number | null;
        nextAttemptAtMs: number | null;
        failureCode: DeliveryFailureCode | null;
        failureMessage: string | null;
        receiverStatus: number | null;
      }
    >,
  ) =>
    query
      .update(deliveries)
      .set({
        ...pick(given, "status", "failureCode", "failureMessage", "receiverStatus"),
        finishedAt: given.finishedAtMs,
        nextAttemptAt: given.nextAttemptAtMs,
        leaseId: null,
      })
      .where(isHeld(given)),
);

const renewLease = statement((given: Given<Lease & { nowMs: number }>) =>
  query
    .update(deliveries)
    .set({ nextAttemptAt: deliveryRows.leaseEnd(given) })
    .where(isHeld(given)),
);

const isHeldFile = (given: Given<Lease & { position: number }>) =>
  sql`${deliveryFiles.deliveryId} = ${given.id} and ${deliveryFiles.position} = ${given.position}
    and exists (select 1 from ${deliveries} where ${isHeld(given)})`;

const markFileDelivered = statement((given: Given<Lease & { nowMs: number; position: number }>) =>
  query.update(deliveryFiles).set({ deliveredAt: given.nowMs, uploadId: null }).where(isHeldFile(given)),
);

/** Marks an object as put and verified, and renews the lease. False when another attempt has the lease. */
export async function completeFile(
  db: D1Database,
  lease: Lease,
  position: number,
  nowMs: number,
): Promise<boolean> {
  const [renewed] = await db.batch([
    renewLease.bind(db, { ...lease, nowMs }),
    markFileDelivered.bind(db, { ...lease, position, nowMs }),
  ]);
  return (renewed?.meta.changes ?? 0) > 0;
}

/** Stores the id of an object's multipart upload. */
export const storeUploadId = statement((given: Given<Lease & { position: number; uploadId: string }>) =>
  query.update(deliveryFiles).set({ uploadId: given.uploadId }).where(isHeldFile(given)),
);
