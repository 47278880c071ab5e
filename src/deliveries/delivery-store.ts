import type { Delivery, DeliveryFile, DeliveryStatus } from "./delivery.ts";

/** Reads of deliveries. What changes them is in the files named for the change. */

const COLUMNS = `v.delivery_number AS deliveryNumber, v.delivery_id AS deliveryId, v.workspace_id AS workspaceId,
  v.destination_id AS destinationId, d.kind, v.event_type AS eventType, v.artifact_id AS artifactId,
  v.job_id AS jobId, v.facts, v.origin, v.status, v.attempts, v.next_attempt_at AS nextAttemptAtMs,
  v.failure_code AS failureCode, v.failure_message AS failureMessage, v.receiver_status AS receiverStatus,
  (SELECT COUNT(*) FROM delivery_files f WHERE f.delivery_id = v.delivery_id) AS filesTotal,
  (SELECT COUNT(*) FROM delivery_files f
    WHERE f.delivery_id = v.delivery_id AND f.delivered_at IS NOT NULL) AS filesDone,
  v.created_at AS createdAtMs, v.finished_at AS finishedAtMs`;

const FROM = "FROM deliveries v JOIN destinations d ON d.destination_id = v.destination_id";

/** The workspace's delivery of that id, or null. */
export const findDelivery = (
  db: D1Database,
  workspaceId: string,
  deliveryId: string,
): Promise<Delivery | null> =>
  db
    .prepare(`SELECT ${COLUMNS} ${FROM} WHERE v.workspace_id = ?1 AND v.delivery_id = ?2`)
    .bind(workspaceId, deliveryId)
    .first<Delivery>();

/** A delivery for whoever carries it out. */
export const findDeliveryToMake = (db: D1Database, deliveryId: string): Promise<Delivery | null> =>
  db.prepare(`SELECT ${COLUMNS} ${FROM} WHERE v.delivery_id = ?1`).bind(deliveryId).first<Delivery>();

/** Selects one of the workspace's deliveries: the named one, or the open one of the same artifact and destination. */
export const openDeliveryStatement = (
  db: D1Database,
  workspaceId: string,
  deliveryId: string,
  artifactId: string,
  destinationId: string,
): D1PreparedStatement =>
  db
    .prepare(
      `SELECT ${COLUMNS} ${FROM} WHERE v.workspace_id = ?1 AND (v.delivery_id = ?2
         OR v.artifact_id = ?3 AND v.destination_id = ?4 AND v.finished_at IS NULL)`,
    )
    .bind(workspaceId, deliveryId, artifactId, destinationId);

/** The objects of a delivery, in the order they are put. */
export async function findDeliveryFiles(
  db: D1Database,
  deliveryId: string,
): Promise<readonly DeliveryFile[]> {
  const { results } = await db
    .prepare(
      `SELECT position, file_name AS fileName, byte_length AS byteLength, upload_id AS uploadId,
         delivered_at AS deliveredAtMs
       FROM delivery_files WHERE delivery_id = ?1 ORDER BY position`,
    )
    .bind(deliveryId)
    .all<DeliveryFile>();
  return results;
}

/** At most `limit` of the workspace's deliveries, newest first. */
export async function findDeliveries(
  db: D1Database,
  workspaceId: string,
  filter: { readonly status: DeliveryStatus | null; readonly beforeNumber: number | null },
  limit: number,
): Promise<readonly Delivery[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} ${FROM} WHERE v.workspace_id = ?1 AND (?2 IS NULL OR v.status = ?2)
         AND (?3 IS NULL OR v.delivery_number < ?3)
       ORDER BY v.delivery_number DESC LIMIT ?4`,
    )
    .bind(workspaceId, filter.status, filter.beforeNumber, limit)
    .all<Delivery>();
  return results;
}
