import { and, eq, gt, gte, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DELIVERY_ATTEMPTS_MAX, DELIVERY_LIMITS, type DeliveryFailureCode } from "../contract/deliveries.ts";
import { isHeldByMessage } from "../db/lease.ts";
import { query } from "../db/query.ts";
import { deliveries, deliveryFiles } from "../db/schema/index.ts";
import { type Given, statement } from "../db/statement.ts";

/** SQL of the attempts at deliveries: who holds the lease, and how they end. */

const { attemptsAtOncePerDestinationMax, attemptsAtOncePerWorkspaceMax, leaseMs } = DELIVERY_LIMITS;

/** Clocks of two machines differ; a message that comes early by this much is not early. */
const EARLY_MS_MAX = 2_000;

type MessageAttempt = { readonly deliveryId: string; readonly messageId: string; readonly nowMs: number };

/**
 * An open delivery that this message may have: an attempt is due, the lease has ended (both stand in
 * `next_attempt_at`), or an earlier attempt of the same message holds the lease and has therefore crashed.
 */
const isFree = (given: Given<MessageAttempt>) =>
  and(
    eq(deliveries.deliveryId, given.deliveryId),
    isNull(deliveries.finishedAt),
    or(
      lte(deliveries.nextAttemptAt, sql`${given.nowMs} + ${EARLY_MS_MAX}`),
      and(eq(deliveries.status, "running"), isHeldByMessage(deliveries.leaseId, given.messageId)),
    ),
  );

const others = alias(deliveries, "others");

/** Other attempts under way in the delivery's workspace; a lease that has ended does not count. */
const othersUnderWay = (given: Given<MessageAttempt>, condition?: SQL) =>
  sql`(select count(*) from ${deliveries} as ${others} where ${and(
    eq(others.workspaceId, deliveries.workspaceId),
    eq(others.status, "running"),
    gt(others.nextAttemptAt, sql`${given.nowMs} + ${EARLY_MS_MAX}`),
    ne(others.deliveryId, given.deliveryId),
    condition,
  )})`;

/**
 * Begins an attempt: takes the lease and counts the attempt, while the workspace and the destination have fewer attempts
 * under way than they may. Returns the number of the attempt.
 */
export const claim = statement((given: Given<MessageAttempt & { leaseId: string }>) =>
  query
    .update(deliveries)
    .set({
      status: "running",
      attempts: sql`${deliveries.attempts} + 1`,
      leaseId: given.leaseId,
      nextAttemptAt: sql`${given.nowMs} + ${leaseMs}`,
    })
    .where(
      and(
        isFree(given),
        lt(deliveries.attempts, DELIVERY_ATTEMPTS_MAX),
        lt(othersUnderWay(given), attemptsAtOncePerWorkspaceMax),
        lt(
          othersUnderWay(given, eq(others.destinationId, deliveries.destinationId)),
          attemptsAtOncePerDestinationMax,
        ),
      ),
    )
    .returning({ attempts: deliveries.attempts }),
);

const dead = (given: Given<{ nowMs: number }>) => ({
  status: "dead" as const,
  finishedAt: given.nowMs,
  nextAttemptAt: null,
  leaseId: null,
});

export const SERVICE_FAULT_MESSAGE = "The service failed to carry the delivery out.";

/** Ends a free delivery that has had all its attempts, the last of which crashed. */
export const endExhausted = statement((given: Given<MessageAttempt>) =>
  query
    .update(deliveries)
    .set({ ...dead(given), failureCode: "SERVICE_FAULT", failureMessage: SERVICE_FAULT_MESSAGE })
    .where(and(isFree(given), gte(deliveries.attempts, DELIVERY_ATTEMPTS_MAX))),
);

/** Lets a free delivery have another message. */
export const releaseMessage = statement((given: Given<MessageAttempt>) =>
  query.update(deliveries).set({ dispatchedAt: null }).where(isFree(given)),
);

/** An open delivery without an attempt under way. */
const isUnheld = (given: Given<{ deliveryId: string; nowMs: number }>) =>
  and(
    eq(deliveries.deliveryId, given.deliveryId),
    isNull(deliveries.finishedAt),
    or(ne(deliveries.status, "running"), lte(deliveries.nextAttemptAt, given.nowMs)),
  );

/** Ends the delivery of a dead letter if it has had all its attempts. A failure that is known stays. */
export const endDeadLetter = statement((given: Given<{ deliveryId: string; nowMs: number }>) =>
  query
    .update(deliveries)
    .set({
      ...dead(given),
      failureCode: sql`coalesce(${deliveries.failureCode}, 'SERVICE_FAULT')`,
      failureMessage: sql`coalesce(${deliveries.failureMessage}, ${SERVICE_FAULT_MESSAGE})`,
    })
    .where(and(isUnheld(given), gte(deliveries.attempts, DELIVERY_ATTEMPTS_MAX))),
);

/** Lets the delivery of a dead letter have another message. */
export const releaseDeadLetter = statement((given: Given<{ deliveryId: string; nowMs: number }>) =>
  query.update(deliveries).set({ dispatchedAt: null }).where(isUnheld(given)),
);

type Lease = { readonly deliveryId: string; readonly leaseId: string; readonly nowMs: number };

const isHeld = (given: Given<Omit<Lease, "nowMs">>) =>
  and(
    eq(deliveries.deliveryId, given.deliveryId),
    eq(deliveries.leaseId, given.leaseId),
    eq(deliveries.status, "running"),
  );

/** Ends a delivery that succeeded. */
export const settleDelivered = statement((given: Given<Lease & { receiverStatus: number }>) =>
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
export const settlePaused = statement((given: Given<Lease>) =>
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
      Omit<Lease, "nowMs"> & {
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
        status: given.status,
        finishedAt: given.finishedAtMs,
        nextAttemptAt: given.nextAttemptAtMs,
        leaseId: null,
        failureCode: given.failureCode,
        failureMessage: given.failureMessage,
        receiverStatus: given.receiverStatus,
      })
      .where(isHeld(given)),
);

export const renewLease = statement((given: Given<Lease>) =>
  query
    .update(deliveries)
    .set({ nextAttemptAt: sql`${given.nowMs} + ${leaseMs}` })
    .where(isHeld(given)),
);

const isHeldFile = (given: Given<Omit<Lease, "nowMs"> & { position: number }>) =>
  and(
    eq(deliveryFiles.deliveryId, given.deliveryId),
    eq(deliveryFiles.position, given.position),
    sql`exists (select 1 from ${deliveries} where ${isHeld(given)})`,
  );

/** Marks an object as put and verified. */
export const markFileDelivered = statement((given: Given<Lease & { position: number }>) =>
  query.update(deliveryFiles).set({ deliveredAt: given.nowMs, uploadId: null }).where(isHeldFile(given)),
);

/** Stores the id of an object's multipart upload. */
export const storeUploadId = statement(
  (given: Given<Omit<Lease, "nowMs"> & { position: number; uploadId: string }>) =>
    query.update(deliveryFiles).set({ uploadId: given.uploadId }).where(isHeldFile(given)),
);
