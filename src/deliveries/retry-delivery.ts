import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { accept, type Outcome, refuse } from "../contract/errors.ts";
import type { Delivery, DeliveryFile, DeliveryStatus } from "./delivery.ts";
import { findDeliveries, findDelivery, findDeliveryFiles } from "./delivery-store.ts";
import { findStopped } from "./destination.ts";
import { findDestination } from "./destination-store.ts";

/** A delivery names its destination for as long as it is kept itself. */
const missingDestination = () => refuse("DESTINATION_DISABLED", "The destination was removed.");

/** One delivery and its objects. */
export interface DeliveryDetail {
  readonly delivery: Delivery;
  readonly files: readonly DeliveryFile[];
}

/** The workspace's delivery. 404 DELIVERY_NOT_FOUND, for a foreign one too. */
export async function readDelivery(
  db: D1Database,
  workspaceId: string,
  deliveryId: string,
): Promise<Outcome<DeliveryDetail>> {
  const delivery = await findDelivery(db, workspaceId, deliveryId);
  if (delivery === null) return refuse("DELIVERY_NOT_FOUND", "The workspace has no delivery of this id.");
  return accept({ delivery, files: await findDeliveryFiles(db, deliveryId) });
}

/** At most `limit` of the workspace's deliveries and one more, newest first. */
export const listDeliveries = (
  db: D1Database,
  workspaceId: string,
  filter: { readonly status: DeliveryStatus | null; readonly beforeNumber: number | null },
  limit: number,
): Promise<readonly Delivery[]> => findDeliveries(db, workspaceId, filter, limit + 1);

/**
 * Begins a dead or waiting delivery anew, at once and with all its attempts. It keeps its id, so that a receiver
 * that has it knows it again; objects of a store are all put again, for who asks may have lost some.
 * 404 DELIVERY_NOT_FOUND, 409 DELIVERY_NOT_RETRYABLE, 409 DESTINATION_DISABLED and DESTINATION_PAUSED.
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
  const destination = await findDestination(db, workspaceId, found.value.delivery.destinationId);
  const stopped = destination === null ? missingDestination() : findStopped(destination);
  if (stopped !== null) return stopped;
  const results = await db.batch([
    ...guards,
    db
      .prepare(
        `UPDATE deliveries SET status = 'queued', attempts = 0, next_attempt_at = ?3, lease_id = NULL,
           dispatched_at = NULL, finished_at = NULL
         WHERE workspace_id = ?1 AND delivery_id = ?2 AND status IN ('dead', 'retrying')
           AND NOT EXISTS (SELECT 1 FROM deliveries other WHERE other.artifact_id = deliveries.artifact_id
             AND other.destination_id = deliveries.destination_id AND other.finished_at IS NULL
             AND other.delivery_id <> ?2)
           AND (status = 'retrying' OR (SELECT COUNT(*) FROM deliveries other
             WHERE other.destination_id = deliveries.destination_id AND other.next_attempt_at IS NOT NULL) < ?4)`,
      )
      .bind(workspaceId, deliveryId, nowMs, DELIVERY_LIMITS.openPerDestinationMax),
    // Of one that has not begun, as the update above leaves it, nothing has been put.
    db
      .prepare(
        `UPDATE delivery_files SET delivered_at = NULL WHERE delivery_id = ?1
           AND EXISTS (SELECT 1 FROM deliveries WHERE delivery_id = ?1 AND status = 'queued' AND attempts = 0)`,
      )
      .bind(deliveryId),
  ]);
  if ((results.at(-2)?.meta.changes ?? 0) === 0) {
    return refuse(
      "DELIVERY_NOT_RETRYABLE",
      "The delivery has succeeded, is at work or waiting for its turn, or a newer one of it is open; or as many wait " +
        "for its destination as may.",
    );
  }
  return readDelivery(db, workspaceId, deliveryId);
}
