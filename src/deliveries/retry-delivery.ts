import { accept, type Outcome, refuse } from "../contract/errors.ts";
import type { DeliveryStatus } from "./delivery.ts";
import {
  type Delivery,
  type DeliveryFile,
  deliveriesPage,
  deliveryOfWorkspace,
  filesOfDelivery,
  requeueDelivery,
  resetDeliveryFiles,
} from "./delivery-store.ts";
import { findStopped } from "./destination.ts";
import { destinationById } from "./destination-store.ts";

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
  const delivery = await deliveryOfWorkspace.first(db, { workspaceId, deliveryId });
  if (delivery === null) return refuse("DELIVERY_NOT_FOUND", "The workspace has no delivery of this id.");
  return accept({ delivery, files: await filesOfDelivery.all(db, { deliveryId }) });
}

/** At most `limit` of the workspace's deliveries and one more, newest first. */
export const listDeliveries = (
  db: D1Database,
  workspaceId: string,
  filter: { readonly status: DeliveryStatus | null; readonly beforeNumber: number | null },
  limit: number,
): Promise<readonly Delivery[]> => deliveriesPage.all(db, { workspaceId, ...filter, limit: limit + 1 });

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
      "The delivery has succeeded, is at work or waiting for its turn, or a newer one of it is open; or as many wait " +
        "for its destination as may.",
    );
  }
  return readDelivery(db, workspaceId, deliveryId);
}
