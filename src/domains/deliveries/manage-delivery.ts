import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { accept, type Outcome, type Refusal, refuse, refuseCursor } from "#api/errors.ts";
import { DELIVERY_CURSOR } from "#api/schemas/delivery.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import { newId } from "#platform/ids.ts";
import type { DetailedArtifact } from "../artifacts/artifact.ts";
import { type DeliveryStatus, MANIFEST_NAME, manifestBytes } from "./delivery.ts";
import {
  type Delivery,
  type DeliveryFile,
  deliveriesPage,
  deliveryCursor,
  deliveryOfWorkspace,
  filesOfDelivery,
  insertDelivery,
  insertDeliveryFiles,
  openDelivery,
  requeueDelivery,
  resetDeliveryFiles,
} from "./delivery-store.ts";
import { findStopped } from "./destination.ts";
import { type Destination, destinationById } from "./destination-store.ts";

export interface NewDelivery {
  readonly db: D1Database;
  readonly nowMs: number;
  /** First statements of the batch; they fail it when the caller may no longer write. */
  readonly guards: readonly D1PreparedStatement[];
  /** Origin of the links in a message. */
  readonly origin: string;
}

/**
 * Creates a delivery of a ready artifact to a destination of its workspace. Returns the open delivery of the same
 * artifact and destination if there is one, so that a request whose response was lost may be repeated. 409
 * DESTINATION_DISABLED, DESTINATION_PAUSED, and DESTINATION_LIMIT_REACHED while the destination is at its limit of open
 * deliveries.
 */
export async function createDelivery(
  { db, nowMs, guards, origin }: NewDelivery,
  artifact: DetailedArtifact,
  destination: Destination,
): Promise<Outcome<Delivery>> {
  const stopped = findStopped(destination);
  if (stopped !== null) return stopped;
  const deliveryId = newId();
  const { workspaceId, artifactId, jobId } = artifact;
  const { destinationId } = destination;
  const row = { deliveryId, workspaceId, destinationId, artifactId, jobId, origin, nowMs };
  const statements = [...guards, insertDelivery.bind(db, row)];
  if (destination.kind === "s3") {
    const files = [
      ...artifact.files.map(({ fileName, byteLength }) => ({ fileName, byteLength })),
      { fileName: MANIFEST_NAME, byteLength: manifestBytes(artifact).byteLength },
    ];
    statements.push(insertDeliveryFiles.bind(db, { deliveryId, files: JSON.stringify(files) }));
  }
  const results = await db.batch([...statements, openDelivery.bind(db, row)]);
  const delivery = openDelivery.row(results.at(-1));
  if (delivery !== null) return accept(delivery);
  return destinationRefusal(db, destination);
}

/**
 * The refusal of a delivery that was not inserted, by the destination's current state: 409 DESTINATION_DISABLED,
 * DESTINATION_PAUSED or DESTINATION_LIMIT_REACHED.
 */
export async function destinationRefusal(db: D1Database, destination: Destination): Promise<Refusal> {
  const current = await destinationById.first(db, destination);
  if (current === null) return refuse("DESTINATION_DISABLED", "The destination was removed in between.");
  return findStopped(current) ?? tooManyOpen();
}

const tooManyOpen = () =>
  refuse(
    "DESTINATION_LIMIT_REACHED",
    `The destination has ${DELIVERY_LIMITS.openPerDestinationMax} open deliveries, which is the limit.`,
    { nextAction: "Mend the receiver or wait until some have ended, then send the request again." },
  );

/** A destination's row stays while a delivery refers to it. */
const missingDestination = () => refuse("DESTINATION_DISABLED", "The destination was removed.");

export interface DeliveryDetail {
  readonly delivery: Delivery;
  readonly files: readonly DeliveryFile[];
}

/** The workspace's delivery. 404 DELIVERY_NOT_FOUND, also for another workspace's delivery. */
export async function readDelivery(
  db: D1Database,
  workspaceId: string,
  deliveryId: string,
): Promise<Outcome<DeliveryDetail>> {
  const delivery = await deliveryOfWorkspace.first(db, { workspaceId, deliveryId });
  if (delivery === null) return refuse("DELIVERY_NOT_FOUND", "The workspace has no delivery with this id.");
  return accept({ delivery, files: await filesOfDelivery.all(db, { deliveryId }) });
}

/**
 * A page of the workspace's deliveries, newest first. The cursor contains a delivery's number, time and id, because
 * each database numbers deliveries and a move may renumber them. If that delivery was deleted, its number alone marks
 * the position. 400 INVALID_CURSOR when the times of the deliveries around that number do not fit, as after a move.
 */
export const listDeliveries = async (
  db: D1Database,
  workspaceId: string,
  filter: { readonly status: DeliveryStatus | null; readonly before: string | null },
  limit: number,
): Promise<Outcome<Page<Delivery, string>>> => {
  const [, number, createdAt, beforeId = ""] = DELIVERY_CURSOR.exec(filter.before ?? "") ?? [];
  const beforeNumber = number === undefined ? null : Number(number);
  const [found, known] = await db.batch([
    deliveriesPage.bind(db, {
      ...{ workspaceId, status: filter.status, limit: limit + 1 },
      ...{ beforeNumber, beforeId },
    }),
    deliveryCursor.bind(db, {
      workspaceId,
      beforeNumber,
      deliveryId: beforeId,
      createdAt: Number(createdAt ?? 0),
    }),
  ]);
  if (beforeNumber !== null && deliveryCursor.row(known)?.isGood !== 1) {
    return refuseCursor("must be `nextBefore` of a page of this workspace; its delivery was deleted");
  }
  const cursorOf = ({ deliveryNumber, createdAtMs, deliveryId }: Delivery) =>
    `${deliveryNumber}-${createdAtMs}-${deliveryId}`;
  return accept(toPage(deliveriesPage.rows(found), limit, cursorOf));
};

/**
 * Requeues a dead or retrying delivery at once and resets its attempts. It keeps its id, by which a receiver can
 * deduplicate. For a store, all objects are put again, because some may be missing there. 404 DELIVERY_NOT_FOUND, 409
 * DELIVERY_NOT_RETRYABLE, 409 DESTINATION_DISABLED and DESTINATION_PAUSED.
 */
export async function retryDelivery(
  db: D1Database,
  guards: readonly D1PreparedStatement[],
  workspaceId: string,
  deliveryId: string,
  nowMs: number,
): Promise<Outcome<DeliveryDetail>> {
  const found = await readDelivery(db, workspaceId, deliveryId);
  if (!found.ok) return found;
  const destination = await destinationById.first(db, found.value.delivery);
  const stopped = destination === null ? missingDestination() : findStopped(destination);
  if (stopped !== null) return stopped;
  const results = await db.batch([
    ...guards,
    requeueDelivery.bind(db, { workspaceId, deliveryId, nowMs }),
    resetDeliveryFiles.bind(db, { deliveryId }),
  ]);
  if ((results.at(-2)?.meta.changes ?? 0) === 0) {
    return refuse(
      "DELIVERY_NOT_RETRYABLE",
      "The delivery has succeeded, is still open or has a newer open attempt, or its destination has too many open " +
        "deliveries.",
    );
  }
  return readDelivery(db, workspaceId, deliveryId);
}
