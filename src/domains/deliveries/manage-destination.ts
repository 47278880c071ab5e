import { accept, type Outcome, refuse, refuseMember } from "#api/errors.ts";
import { LOW_BALANCE_MESSAGE, type UpdateDestination } from "#api/schemas/destination.ts";
import { type EncryptionKeys, keyPrefixOf, seal, unseal } from "#platform/crypto/sealed-secret.ts";
import { auditRow } from "../audit/audit-store.ts";
import { isPaused } from "./destination.ts";
import {
  auditDestination,
  auditEnabling,
  type Destination,
  deleteDestinationStatements,
  destinationById,
  enable,
  overwriteSecrets,
  reencryptSecrets,
  replaceSecrets,
  secretsUnderKey,
} from "./destination-store.ts";
import {
  type DestinationDeps,
  destinationEvent,
  eventsChange,
  missingDestination,
  type SavedDestination,
  secretChanged,
} from "./save-destination.ts";
import { newSigningSecret, rotateSecrets, type WebhookSecrets } from "./webhook/webhook-signature.ts";

/** Maximum number of tries. A rotation is retried when another one was stored meanwhile. */
const ROTATIONS_MAX = 3;

/** The workspace's destination, unless deleted. 404 DESTINATION_NOT_FOUND. */
export async function readDestination(
  db: D1Database,
  workspaceId: string,
  destinationId: string,
): Promise<Outcome<Destination>> {
  const found = await destinationById.first(db, { workspaceId, destinationId });
  return found === null || found.sealed === null ? missingDestination() : accept(found);
}

/**
 * Changes a webhook's events together with its balance threshold, or a store's secret. 404 DESTINATION_NOT_FOUND, 400
 * INVALID_REQUEST for fields of the other kind of destination and for a threshold without `balance.low`.
 */
export async function changeDestination(
  { db, encryption, guards, cause }: DestinationDeps,
  workspaceId: string,
  destinationId: string,
  { secretAccessKey, ...changes }: UpdateDestination,
): Promise<Outcome<Destination>> {
  const found = await readDestination(db, workspaceId, destinationId);
  if (!found.ok) return found;
  const { kind, events: savedEvents, lowBalanceBelow: savedMark } = found.value;
  const id = { workspaceId, destinationId };
  const updates: D1PreparedStatement[] = [];
  if (secretAccessKey !== undefined) {
    if (kind !== "s3") return refuseMember("body", "secretAccessKey", "belongs to a store");
    const sealed = await seal(encryption, found.value, JSON.stringify({ secretAccessKey }));
    updates.push(
      overwriteSecrets.bind(db, { ...id, sealed }),
      ...secretChanged(db, cause, found.value, sealed),
    );
  }
  const [member] = Object.keys(changes);
  if (member !== undefined) {
    if (kind !== "webhook") return refuseMember("body", member, "belongs to a webhook");
    const { events = savedEvents } = changes;
    const isTold = events.includes("balance.low");
    const { lowBalanceBelow = isTold ? savedMark : null } = changes;
    if (isTold !== (lowBalanceBelow !== null))
      return refuseMember("body", "lowBalanceBelow", LOW_BALANCE_MESSAGE);
    updates.push(...eventsChange(db, cause, found.value, { events, lowBalanceBelow }));
  }
  if (updates.length > 0) await db.batch([...guards, ...updates]);
  return readDestination(db, workspaceId, destinationId);
}

/** Deletes a destination and its secrets, and ends its open deliveries. 404 DESTINATION_NOT_FOUND. */
export async function removeDestination(
  { db, guards, nowMs, cause }: DestinationDeps,
  workspaceId: string,
  destinationId: string,
): Promise<Outcome<Destination>> {
  const found = await readDestination(db, workspaceId, destinationId);
  if (!found.ok) return found;
  await db.batch([
    ...guards,
    auditDestination.bind(db, auditRow(cause, destinationEvent("destination.removed", found.value))),
    ...deleteDestinationStatements(db, { workspaceId, destinationId, nowMs }),
  ]);
  return found;
}

/**
 * Enables a destination that was disabled after a 410, or, for an owner only, paused because its creator left. 404
 * DESTINATION_NOT_FOUND, 403 ROLE_INSUFFICIENT.
 */
export async function enableDestination(
  { db, guards, actor, cause }: DestinationDeps,
  workspaceId: string,
  destinationId: string,
): Promise<Outcome<Destination>> {
  const found = await readDestination(db, workspaceId, destinationId);
  if (!found.ok) return found;
  const event = destinationEvent("destination.enabled", found.value);
  await db.batch([
    ...guards,
    auditEnabling.bind(db, { ...auditRow(cause, event), isOwner: actor.isOwner }),
    enable.bind(db, { workspaceId, destinationId, ...actor }),
  ]);
  const after = await readDestination(db, workspaceId, destinationId);
  if (!after.ok || actor.isOwner || !isPaused(after.value)) return after;
  return refuse(
    "ROLE_INSUFFICIENT",
    "Only an owner may have packs and messages sent again to what a former member made.",
    { requiredRole: "owner" },
  );
}

/** The secrets of a webhook; null for a store, or when they cannot be decrypted. */
async function openWebhook(
  deps: Pick<DestinationDeps, "encryption">,
  destination: Destination,
): Promise<WebhookSecrets | null> {
  if (destination.kind !== "webhook" || destination.sealed === null) return null;
  const plain = await unseal(deps.encryption, destination, destination.sealed);
  return plain === null ? null : (JSON.parse(plain) as WebhookSecrets);
}

/**
 * Rotates a webhook's signing secret and returns the new one; the old one also signs for another day. 404
 * DESTINATION_NOT_FOUND (also for a store), 409 DESTINATION_LIMIT_REACHED when too many secrets are signing, 409
 * DESTINATION_DISABLED when they cannot be decrypted.
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
      ...secretChanged(db, deps.cause, found.value, sealed),
    ]);
    const after = await readDestination(db, workspaceId, destinationId);
    if (!after.ok) return after;
    // Each encryption has its own nonce, so identical ciphertext means that this secret was stored.
    if (after.value.sealed === sealed)
      return accept({ destination: after.value, signingSecret, isNew: false });
  }
  throw new Error("a secret is rotated faster than it can be read");
}

/**
 * Re-encrypts at most `limit` secrets from the previous encryption key to the current one; returns their number. When
 * it returns 0, the previous key may be deleted. A secret that changes meanwhile waits for the next run.
 */
export async function resealDestinations(
  db: D1Database,
  keys: EncryptionKeys,
  limit: number,
): Promise<number> {
  if (keys.previous === null) return 0;
  const keyPrefix = await keyPrefixOf(keys.previous);
  const writes: D1PreparedStatement[] = [];
  for (const row of await secretsUnderKey.all(db, { keyPrefix, limit })) {
    const plain = await unseal(keys, row, row.sealed);
    if (plain === null) continue;
    const sealed = await seal(keys, row, plain);
    writes.push(reencryptSecrets.bind(db, { ...row, readSealed: row.sealed, sealed }));
  }
  if (writes.length === 0) return 0;
  const results = await db.batch(writes);
  return results.reduce((count, { meta }) => count + meta.changes, 0);
}
