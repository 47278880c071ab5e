import { and, asc, desc, eq, inArray, isNotNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { ARTIFACT_DELIVERY, DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { deliveries, deliveryFiles, destinations, workspaces } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import type { DeliveryStatus } from "./delivery.ts";

/** SQL of deliveries. SQL of attempts is in delivery-attempt-store.ts. */

const filesWhere = (condition?: SQL) =>
  sql<number>`(select count(*) from ${deliveryFiles}
    where ${and(eq(deliveryFiles.deliveryId, deliveries.deliveryId), condition)})`;

/** Columns of deliveries for responses and attempts. */
export const selectDeliveries = () =>
  query
    .read(deliveries, {
      /** Lists are ordered by the delivery number, which is part of their cursor. */
      ...pick(deliveries, "deliveryNumber", "deliveryId", "workspaceId", "destinationId"),
      kind: destinations.kind,
      ...pick(deliveries, "eventType", "artifactId", "jobId", "facts", "origin", "status", "attempts"),
      nextAttemptAtMs: deliveries.nextAttemptAt,
      ...pick(deliveries, "failureCode", "failureMessage", "receiverStatus"),
      filesTotal: filesWhere(),
      filesDone: filesWhere(isNotNull(deliveryFiles.deliveredAt)),
      createdAtMs: deliveries.createdAt,
      finishedAtMs: deliveries.finishedAt,
    })
    .innerJoin(destinations, eq(destinations.destinationId, deliveries.destinationId));

type DeliveryId = { readonly workspaceId: string; readonly deliveryId: string };

const isDelivery = (given: Given<DeliveryId>) =>
  sql`${deliveries.workspaceId} = ${given.workspaceId} and ${deliveries.deliveryId} = ${given.deliveryId}`;

export const deliveryOfWorkspace = statement((given: Given<DeliveryId>) =>
  selectDeliveries().where(isDelivery(given)),
);

/** A delivery. Times are Unix milliseconds. */
export type Delivery = RowOf<typeof deliveryOfWorkspace>;

/** A delivery of any workspace, for an attempt. */
export const deliveryById = statement((given: Given<{ deliveryId: string }>) =>
  selectDeliveries().where(eq(deliveries.deliveryId, given.deliveryId)),
);

/** The delivery with this id, or the open one of the same artifact and destination. */
export const openDelivery = statement(
  (given: Given<DeliveryId & { artifactId: string; destinationId: string }>) =>
    selectDeliveries().where(
      sql`${deliveries.workspaceId} = ${given.workspaceId} and (${deliveries.deliveryId} = ${given.deliveryId}
        or ${deliveries.artifactId} = ${given.artifactId} and ${deliveries.destinationId} = ${given.destinationId}
          and ${deliveries.finishedAt} is null)`,
    ),
);

/**
 * The workspace's deliveries, newest first; optionally of one status, and older than the delivery `beforeId`, or than
 * `beforeNumber` if `beforeId` was deleted.
 */
export const deliveriesPage = statement(
  (
    given: Given<{
      workspaceId: string;
      status: DeliveryStatus | null;
      beforeNumber: number | null;
      beforeId: string;
      limit: number;
    }>,
  ) =>
    selectDeliveries()
      .where(
        sql`${deliveries.workspaceId} = ${given.workspaceId}
          and (${given.status} is null or ${deliveries.status} = ${given.status})
          and (${given.beforeNumber} is null or ${deliveries.deliveryNumber} < coalesce(
            (select last.delivery_number from deliveries as last
              where last.delivery_id = ${given.beforeId} and last.workspace_id = ${given.workspaceId}),
            ${given.beforeNumber}))`,
      )
      .orderBy(desc(deliveries.deliveryNumber))
      .limit(given.limit),
);

/**
 * Whether a cursor is still valid: its delivery exists or, if it was deleted, its creation time is between those of
 * the deliveries with adjacent numbers.
 */
export const deliveryCursor = statement(
  (given: Given<DeliveryId & { beforeNumber: number | null; createdAt: number }>) => {
    const beside = (bound: SQL, order: SQL) =>
      sql`(select ${deliveries.createdAt} from ${deliveries} where ${deliveries.workspaceId} = ${given.workspaceId}
        and ${deliveries.deliveryNumber} ${bound} ${given.beforeNumber}
        order by ${deliveries.deliveryNumber} ${order} limit 1)`;
    return query
      .read(workspaces, {
        isGood: sql<number>`exists (select 1 from ${deliveries} where ${isDelivery(given)})
          or coalesce(${beside(sql`<`, sql`desc`)} <= ${given.createdAt}, 1)
            and coalesce(${beside(sql`>`, sql`asc`)} >= ${given.createdAt}, 1)`,
      })
      .where(eq(workspaces.workspaceId, given.workspaceId));
  },
);

/** The objects of a delivery to a store, in the order they are put. */
export const filesOfDelivery = statement((given: Given<{ deliveryId: string }>) =>
  query
    .read(deliveryFiles, {
      ...pick(deliveryFiles, "position", "fileName", "byteLength", "uploadId"),
      deliveredAtMs: deliveryFiles.deliveredAt,
    })
    .where(eq(deliveryFiles.deliveryId, given.deliveryId))
    .orderBy(asc(deliveryFiles.position)),
);

export type DeliveryFile = RowOf<typeof filesOfDelivery>;

const others = alias(deliveries, "others");

/** Whether the destination is below its limit of open deliveries. */
export const isBelowOpenLimit = (destinationId: SQLWrapper) =>
  sql`(select count(*) from ${deliveries} as ${others} where ${others.destinationId} = ${destinationId}
    and ${others.nextAttemptAt} is not null) < ${DELIVERY_LIMITS.openPerDestinationMax}`;

/** Whether the destination is the workspace's, enabled, and below its limit of open deliveries. */
export const acceptsDeliveries = (given: Given<{ workspaceId: string; destinationId: string }>) =>
  sql`exists (select 1 from ${destinations} where ${destinations.destinationId} = ${given.destinationId}
      and ${destinations.workspaceId} = ${given.workspaceId}
      and ${destinations.deletedAt} is null and ${destinations.disabledAt} is null)
    and ${isBelowOpenLimit(given.destinationId)}`;

/**
 * Inserts a delivery of an artifact if its destination is enabled, below its limit of open deliveries, and has no open
 * delivery of the same artifact.
 */
export const insertDelivery = statement(
  (
    given: Given<{
      deliveryId: string;
      workspaceId: string;
      destinationId: string;
      artifactId: string;
      jobId: string;
      origin: string;
      nowMs: number;
    }>,
  ) =>
    query.insert(deliveries).selecting(
      {
        ...pick(given, "deliveryId", "workspaceId", "destinationId", "artifactId", "jobId", "origin"),
        eventType: ARTIFACT_DELIVERY,
        reference: sql`${`${ARTIFACT_DELIVERY}:`} || ${given.deliveryId}`,
        status: "queued",
        nextAttemptAt: given.nowMs,
        createdAt: given.nowMs,
      },
      sql`where ${acceptsDeliveries(given)}
        and not exists (select 1 from ${deliveries} as ${others} where ${others.artifactId} = ${given.artifactId}
          and ${others.destinationId} = ${given.destinationId} and ${others.finishedAt} is null)`,
    ),
);

/**
 * Inserts the objects of a delivery if the delivery was inserted. They are a JSON array of `{ fileName, byteLength }`
 * in order.
 */
export const insertDeliveryFiles = statement((given: Given<{ deliveryId: string; files: string }>) =>
  query.insert(deliveryFiles).selecting(
    {
      deliveryId: given.deliveryId,
      position: sql`key`,
      fileName: sql`json_extract(value, '$.fileName')`,
      byteLength: sql`json_extract(value, '$.byteLength')`,
    },
    sql`from json_each(${given.files})
      where exists (select 1 from ${deliveries} where ${deliveries.deliveryId} = ${given.deliveryId})`,
  ),
);

/**
 * Requeues a dead or retrying delivery and resets its attempts, unless another delivery of its artifact to the
 * destination is open or the destination is at its limit of open deliveries.
 */
export const requeueDelivery = statement((given: Given<DeliveryId & { nowMs: number }>) =>
  query
    .update(deliveries)
    .set({
      status: "queued",
      attempts: 0,
      nextAttemptAt: given.nowMs,
      leaseId: null,
      dispatchedAt: null,
      finishedAt: null,
    })
    .where(
      sql`${isDelivery(given)} and ${deliveries.status} in ('dead', 'retrying')
        and not exists (select 1 from ${deliveries} as ${others} where ${others.artifactId} = ${deliveries.artifactId}
          and ${others.destinationId} = ${deliveries.destinationId} and ${others.finishedAt} is null
          and ${others.deliveryId} <> ${given.deliveryId})
        and (${deliveries.status} = 'retrying' or ${isBelowOpenLimit(deliveries.destinationId)})`,
    ),
);

/** Marks all objects of a delivery as not put, if it was just requeued and so has no attempts. */
export const resetDeliveryFiles = statement((given: Given<{ deliveryId: string }>) =>
  query
    .update(deliveryFiles)
    .set({ deliveredAt: null })
    .where(
      sql`${deliveryFiles.deliveryId} = ${given.deliveryId} and exists (select 1 from ${deliveries}
        where ${deliveries.deliveryId} = ${given.deliveryId} and ${deliveries.status} = 'queued'
          and ${deliveries.attempts} = 0)`,
    ),
);

export const dead = (given: Given<{ nowMs: number }>) => ({
  status: "dead" as const,
  finishedAt: given.nowMs,
  nextAttemptAt: null,
  leaseId: null,
});

type EndedBefore = { readonly endedBeforeMs: number; readonly limit: number };

const endedBefore = (given: Given<EndedBefore>) =>
  query
    .read(deliveries, { deliveryId: deliveries.deliveryId })
    .where(sql`${deliveries.finishedAt} is not null and ${deliveries.finishedAt} <= ${given.endedBeforeMs}
      and ${isNotMoving(deliveries.workspaceId)}`)
    .orderBy(asc(deliveries.finishedAt))
    .limit(given.limit);

const deleteEndedFiles = statement((given: Given<EndedBefore>) =>
  query.delete(deliveryFiles).where(inArray(deliveryFiles.deliveryId, endedBefore(given))),
);

const deleteEnded = statement((given: Given<EndedBefore>) =>
  query
    .delete(deliveries)
    .where(inArray(deliveries.deliveryId, endedBefore(given)))
    .returning({ deliveryId: deliveries.deliveryId }),
);

/** Deletes at most `limit` deliveries that were finished before a time; returns their number. */
export async function deleteEndedDeliveries(db: D1Database, ended: EndedBefore): Promise<number> {
  const [, deleted] = await db.batch([deleteEndedFiles.bind(db, ended), deleteEnded.bind(db, ended)]);
  return deleteEnded.rows(deleted).length;
}
