import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DELIVERY_ATTEMPTS_MAX, DELIVERY_LIMITS, type DeliveryFailureCode } from "#api/delivery-rules.ts";
import { EARLY_MS_MAX, isHeldByMessage } from "#platform/db/lease.ts";
import { deliveries, deliveryFiles } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick.ts";
import { dead } from "./delivery-store.ts";

/** SQL of the attempts at deliveries: who holds the lease, and how they end. */

type MessageAttempt = { readonly deliveryId: string; readonly messageId: string; readonly nowMs: number };

/**
 * An open delivery that this message may have: an attempt is due, the lease has ended (both times are
 * `next_attempt_at`), or an earlier attempt of the same message holds the lease and has therefore crashed.
 */
const isFree = (given: Given<MessageAttempt>) =>
  sql`${deliveries.deliveryId} = ${given.deliveryId} and ${deliveries.finishedAt} is null
    and (${deliveries.nextAttemptAt} <= ${given.nowMs} + ${EARLY_MS_MAX}
      or ${deliveries.status} = 'running' and ${isHeldByMessage(deliveries.leaseId, given.messageId)})`;

const others = alias(deliveries, "others");

/** How many other attempts are under way in the delivery's workspace; a lease that has ended does not count. */
const othersUnderWay = (given: Given<MessageAttempt>, condition: SQL = sql`true`) =>
  sql`(select count(*) from ${deliveries} as ${others} where ${others.workspaceId} = ${deliveries.workspaceId}
    and ${others.status} = 'running' and ${others.nextAttemptAt} > ${given.nowMs} + ${EARLY_MS_MAX}
    and ${others.deliveryId} <> ${given.deliveryId} and ${condition})`;

/**
 * Begins an attempt and returns its number: takes the lease and counts the attempt, if the delivery is free, and its
 * workspace and destination have fewer attempts under way than they may.
 */
export const claim = statement((given: Given<MessageAttempt & { leaseId: string }>) =>
  query
    .update(deliveries)
    .set({
      status: "running",
      attempts: sql`${deliveries.attempts} + 1`,
      leaseId: given.leaseId,
      nextAttemptAt: sql`${given.nowMs} + ${DELIVERY_LIMITS.leaseMs}`,
    })
    .where(
      sql`${isFree(given)} and ${deliveries.attempts} < ${DELIVERY_ATTEMPTS_MAX}
        and ${othersUnderWay(given)} < ${DELIVERY_LIMITS.attemptsAtOncePerWorkspaceMax}
        and ${othersUnderWay(given, eq(others.destinationId, deliveries.destinationId))}
          < ${DELIVERY_LIMITS.attemptsAtOncePerDestinationMax}`,
    )
    .returning({ attempts: deliveries.attempts }),
);

const hadAllAttempts = sql`${deliveries.attempts} >= ${DELIVERY_ATTEMPTS_MAX}`;

export const SERVICE_FAULT_MESSAGE = "The service failed to carry the delivery out.";

/** Ends a free delivery that has had all its attempts, the last of which crashed. */
export const endExhausted = statement((given: Given<MessageAttempt>) =>
  query
    .update(deliveries)
    .set({ ...dead(given), failureCode: "SERVICE_FAULT", failureMessage: SERVICE_FAULT_MESSAGE })
    .where(sql`${isFree(given)} and ${hadAllAttempts}`),
);

/** Lets a free delivery have another message. */
export const releaseMessage = statement((given: Given<MessageAttempt>) =>
  query.update(deliveries).set({ dispatchedAt: null }).where(isFree(given)),
);

/** An open delivery without an attempt under way. */
const isUnheld = (given: Given<{ deliveryId: string; nowMs: number }>) =>
  sql`${deliveries.deliveryId} = ${given.deliveryId} and ${deliveries.finishedAt} is null
    and (${deliveries.status} <> 'running' or ${deliveries.nextAttemptAt} <= ${given.nowMs})`;

/** Ends the delivery of a dead letter if it has had all its attempts. A failure that is known stays. */
export const endDeadLetter = statement((given: Given<{ deliveryId: string; nowMs: number }>) =>
  query
    .update(deliveries)
    .set({
      ...dead(given),
      failureCode: sql`coalesce(${deliveries.failureCode}, 'SERVICE_FAULT')`,
      failureMessage: sql`coalesce(${deliveries.failureMessage}, ${SERVICE_FAULT_MESSAGE})`,
    })
    .where(sql`${isUnheld(given)} and ${hadAllAttempts}`),
);

/** Lets the delivery of a dead letter have another message. */
export const releaseDeadLetter = statement((given: Given<{ deliveryId: string; nowMs: number }>) =>
  query.update(deliveries).set({ dispatchedAt: null }).where(isUnheld(given)),
);

type Lease = { readonly deliveryId: string; readonly leaseId: string };

const isHeld = (given: Given<Lease>) =>
  sql`${deliveries.deliveryId} = ${given.deliveryId} and ${deliveries.leaseId} = ${given.leaseId}
    and ${deliveries.status} = 'running'`;

/** Ends a delivery that succeeded. */
export const settleDelivered = statement((given: Given<Lease & { nowMs: number; receiverStatus: number }>) =>
  query
    .update(deliveries)
    .set({
      status: "succeeded",
      finishedAt: given.nowMs,
      nextAttemptAt: null,
      leaseId: null,
      failureCode: null,
      failureMessage: null,
      receiverStatus: given.receiverStatus,
    })
    .where(isHeld(given)),
);

/** Makes another attempt due at once. This one has put objects and does not count. */
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

/** Ends a failed attempt: the next one is due at `nextAttemptAtMs`, or there is none and the delivery is dead. */
export const settleFailed = statement(
  (
    given: Given<
      Lease & {
        status: "dead" | "retrying";
        finishedAtMs: number | null;
        nextAttemptAtMs: number | null;
        failureCode: DeliveryFailureCode;
        failureMessage: string;
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

export const renewLease = statement((given: Given<Lease & { nowMs: number }>) =>
  query
    .update(deliveries)
    .set({ nextAttemptAt: sql`${given.nowMs} + ${DELIVERY_LIMITS.leaseMs}` })
    .where(isHeld(given)),
);

const isHeldFile = (given: Given<Lease & { position: number }>) =>
  sql`${deliveryFiles.deliveryId} = ${given.deliveryId} and ${deliveryFiles.position} = ${given.position}
    and exists (select 1 from ${deliveries} where ${isHeld(given)})`;

/** Marks an object as put and verified. */
export const markFileDelivered = statement((given: Given<Lease & { nowMs: number; position: number }>) =>
  query.update(deliveryFiles).set({ deliveredAt: given.nowMs, uploadId: null }).where(isHeldFile(given)),
);

/** Stores the id of an object's multipart upload. */
export const storeUploadId = statement((given: Given<Lease & { position: number; uploadId: string }>) =>
  query.update(deliveryFiles).set({ uploadId: given.uploadId }).where(isHeldFile(given)),
);
