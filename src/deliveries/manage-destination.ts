import { accept, type Outcome, refuse } from "../contract/errors.ts";
import { isPaused, rotateSecrets, type WebhookSecrets } from "./destination.ts";
import {
  type Destination,
  deleteStatements,
  destinationById,
  enable,
  replaceSecrets,
} from "./destination-store.ts";
import { type DestinationDeps, missingDestination, type SavedDestination } from "./save-destination.ts";
import { seal, unseal } from "./sealed-secret.ts";
import { newSigningSecret } from "./signature.ts";

/** How often a rotation is made again on what another one wrote in between. */
const ROTATIONS_MAX = 3;

/** The workspace's destination, unless it was removed. 404 DESTINATION_NOT_FOUND. */
export async function readDestination(
  db: D1Database,
  workspaceId: string,
  destinationId: string,
): Promise<Outcome<Destination>> {
  const found = await destinationById.first(db, { workspaceId, destinationId });
  return found === null || found.sealed === null ? missingDestination() : accept(found);
}

/** Removes a destination and its secrets, and ends what is still to be sent there. 404 DESTINATION_NOT_FOUND. */
export async function removeDestination(
  { db, guards, nowMs }: DestinationDeps,
  workspaceId: string,
  destinationId: string,
): Promise<Outcome<Destination>> {
  const found = await readDestination(db, workspaceId, destinationId);
  if (!found.ok) return found;
  await db.batch([...guards, ...deleteStatements(db, { workspaceId, destinationId, nowMs })]);
  return found;
}

/**
 * Lets a destination be sent to again whose receiver had said that it was gone, or whose maker has left: the latter is an
 * owner's to say. 404 DESTINATION_NOT_FOUND, 403 ROLE_INSUFFICIENT.
 */
export async function enableDestination(
  { db, guards, actor }: DestinationDeps,
  workspaceId: string,
  destinationId: string,
): Promise<Outcome<Destination>> {
  const found = await readDestination(db, workspaceId, destinationId);
  if (!found.ok) return found;
  await db.batch([...guards, enable.bind(db, { workspaceId, destinationId, ...actor })]);
  const after = await readDestination(db, workspaceId, destinationId);
  if (!after.ok || actor.isOwner || !isPaused(after.value)) return after;
  return refuse(
    "ROLE_INSUFFICIENT",
    "Only an owner may have packs and messages sent again to what a former member made.",
    { requiredRole: "owner" },
  );
}

/** The secrets of a webhook; null when they cannot be read any more, or it is a store. */
async function openWebhook(
  deps: Pick<DestinationDeps, "encryption">,
  destination: Destination,
): Promise<WebhookSecrets | null> {
  if (destination.kind !== "webhook" || destination.sealed === null) return null;
  const plain = await unseal(deps.encryption, destination, destination.sealed);
  return plain === null ? null : (JSON.parse(plain) as WebhookSecrets);
}

/**
 * Gives a webhook a new signing secret and shows it; the old one signs beside it for a day.
 * 404 DESTINATION_NOT_FOUND (a store has none to rotate), 409 DESTINATION_LIMIT_REACHED when too many sign already,
 * 409 DESTINATION_DISABLED when the present ones cannot be read any more.
 */
export async function rotateSigningSecret(
  deps: DestinationDeps,
  workspaceId: string,
  destinationId: string,
): Promise<Outcome<SavedDestination>> {
  const { db, nowMs } = deps;
  for (let attempt = 0; attempt < ROTATIONS_MAX; attempt += 1) {
    const found = await readDestination(db, workspaceId, destinationId);
    if (!found.ok) return found;
    const { settings, sealed: readSealed } = found.value;
    if ("endpoint" in settings) {
      return refuse("DESTINATION_NOT_FOUND", "The destination is a store and signs nothing.");
    }
    const secrets = await openWebhook(deps, found.value);
    if (secrets === null) {
      return refuse("DESTINATION_DISABLED", "The destination's secrets can no longer be read.", {
        nextAction: "Save the same address again; the answer shows a new secret.",
      });
    }
    const signingSecret = newSigningSecret();
    const rotated = rotateSecrets(secrets, signingSecret, nowMs);
    if (rotated === null) {
      return refuse("DESTINATION_LIMIT_REACHED", "Too many secrets of this webhook sign already.", {
        nextAction: "Wait until the oldest of them ends, a day after it was replaced.",
      });
    }
    const sealed = await seal(deps.encryption, found.value, JSON.stringify(rotated));
    await db.batch([
      ...deps.guards,
      replaceSecrets.bind(db, {
        workspaceId,
        destinationId,
        readSealed,
        sealed,
        settings: { ...settings, previousSecretUntilMs: rotated.previous[0]?.untilMs ?? null },
      }),
    ]);
    const after = await readDestination(db, workspaceId, destinationId);
    if (!after.ok) return after;
    // Every sealing is another text, so that this tells whether ours was the one.
    if (after.value.sealed === sealed)
      return accept({ destination: after.value, signingSecret, isNew: false });
  }
  throw new Error("a secret is rotated faster than it can be read");
}
