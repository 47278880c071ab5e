import type { Artifact } from "../artifacts/artifact.ts";
import { presentArtifact } from "../artifacts/artifact.ts";
import { ARTIFACT_DELIVERY, DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { accept, type Outcome, refuse } from "../contract/errors.ts";
import { newId } from "../platform/ids.ts";
import { type Delivery, MANIFEST_NAME } from "./delivery.ts";
import { openDeliveryStatement } from "./delivery-store.ts";
import { type Destination, findStopped } from "./destination.ts";
import { findDestination } from "./destination-store.ts";

/** What a new delivery is made from. */
export interface NewDelivery {
  readonly db: D1Database;
  readonly nowMs: number;
  /** Statements that stand first in the write and fail it when the caller may no longer write. */
  readonly guards: readonly D1PreparedStatement[];
  /** Origin of the links that a message names. */
  readonly origin: string;
}

/** The manifest as it lies in a store: the same bytes for the same artifact, whenever they are made. */
export const manifestBytes = (artifact: Artifact): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ ...presentArtifact(artifact), status: "ready" }, null, 2)}\n`);

/**
 * Begins to send a ready artifact to a destination of its workspace. While one such delivery is open, asking again
 * shows it, so that a request whose answer was lost may be repeated. 409 DESTINATION_DISABLED and DESTINATION_PAUSED, 409
 * DESTINATION_LIMIT_REACHED while too much waits for the destination already.
 */
export async function createDelivery(
  { db, nowMs, guards, origin }: NewDelivery,
  artifact: Artifact,
  destination: Destination,
): Promise<Outcome<Delivery>> {
  const stopped = findStopped(destination);
  if (stopped !== null) return stopped;
  const { workspaceId, artifactId } = artifact;
  const { destinationId } = destination;
  const deliveryId = newId();
  const statements = [
    ...guards,
    db
      .prepare(
        `INSERT INTO deliveries (delivery_id, workspace_id, destination_id, event_type, reference, artifact_id,
           job_id, origin, status, next_attempt_at, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'queued', ?9, ?9
         WHERE EXISTS (SELECT 1 FROM destinations
             WHERE destination_id = ?3 AND workspace_id = ?2 AND deleted_at IS NULL AND disabled_at IS NULL)
           AND NOT EXISTS (SELECT 1 FROM deliveries
             WHERE artifact_id = ?6 AND destination_id = ?3 AND finished_at IS NULL)
           AND (SELECT COUNT(*) FROM deliveries
             WHERE destination_id = ?3 AND next_attempt_at IS NOT NULL) < ?10`,
      )
      .bind(
        deliveryId,
        workspaceId,
        destinationId,
        ARTIFACT_DELIVERY,
        `${ARTIFACT_DELIVERY}:${deliveryId}`,
        artifactId,
        artifact.jobId,
        origin,
        nowMs,
        DELIVERY_LIMITS.openPerDestinationMax,
      ),
  ];
  if (destination.kind === "s3") {
    const files = [
      ...artifact.files.map(({ fileName, byteLength }) => ({ fileName, byteLength })),
      { fileName: MANIFEST_NAME, byteLength: manifestBytes(artifact).byteLength },
    ];
    statements.push(
      db
        .prepare(
          `INSERT INTO delivery_files (delivery_id, position, file_name, byte_length)
           SELECT ?1, key, json_extract(value, '$.fileName'), json_extract(value, '$.byteLength')
           FROM json_each(?2) WHERE EXISTS (SELECT 1 FROM deliveries WHERE delivery_id = ?1)`,
        )
        .bind(deliveryId, JSON.stringify(files)),
    );
  }
  statements.push(openDeliveryStatement(db, workspaceId, deliveryId, artifactId, destinationId));
  const [delivery] = (await db.batch<Delivery>(statements)).at(-1)?.results ?? [];
  if (delivery !== undefined) return accept(delivery);
  const stands = await findDestination(db, workspaceId, destinationId);
  if (stands === null) return refuse("DESTINATION_DISABLED", "The destination was removed in between.");
  return findStopped(stands) ?? tooManyOpen();
}

/** What a destination is answered with for which as much waits as may. */
const tooManyOpen = () =>
  refuse(
    "DESTINATION_LIMIT_REACHED",
    `As many deliveries wait for the destination as may: ${DELIVERY_LIMITS.openPerDestinationMax}.`,
    { nextAction: "Mend the receiver or wait until some have ended, then send the request again." },
  );
