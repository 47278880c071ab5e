import type { Artifact } from "../artifacts/artifact.ts";
import { presentArtifact } from "../artifacts/artifact.ts";
import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { accept, type Outcome, refuse } from "../contract/errors.ts";
import { newId } from "../platform/ids.ts";
import { MANIFEST_NAME } from "./delivery.ts";
import { type Delivery, insertDelivery, insertDeliveryFiles, openDelivery } from "./delivery-store.ts";
import { findStopped } from "./destination.ts";
import { type Destination, destinationById } from "./destination-store.ts";

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
  const stands = await destinationById.first(db, destination);
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
