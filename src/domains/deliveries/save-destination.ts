import type { AuditType } from "#api/audit-types.ts";
import { DELIVERY_LIMITS, type WebhookEvent } from "#api/delivery-rules.ts";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { SaveDestination, SendArtifact } from "#api/schemas/destination.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { type EncryptionKeys, seal, unseal } from "#platform/crypto/sealed-secret.ts";
import type { S3Settings, WebhookSettings } from "#platform/db/schema/index.ts";
import { newId } from "#platform/ids.ts";
import { type AddressRules, checkAddress, checkEndpoint } from "#platform/outbound/ssrf-guard.ts";
import { auditRow, type Cause, type NewAuditEvent } from "../audit/audit-store.ts";
import {
  auditChange,
  auditDestination,
  auditSecret,
  type Destination,
  destinationByIdentity,
  insertDestination,
  overwriteSecrets,
  replaceSecrets,
  updateEvents,
} from "./destination-store.ts";
import { newSigningSecret, type WebhookSecrets } from "./webhook/webhook-signature.ts";

export interface DestinationDeps {
  readonly db: D1Database;
  readonly encryption: EncryptionKeys;
  readonly addressRules: AddressRules;
  readonly nowMs: number;
  /** The requesting account, or `KEY_CREATOR` with an API key's id. */
  readonly actor: { readonly createdBy: string; readonly isOwner: boolean };
  /** The requester, for the audit log. */
  readonly cause: Cause;
  /** First statements of each batch; they fail it when the caller may no longer write. */
  readonly guards: readonly D1PreparedStatement[];
}

/** A webhook or store in a request. */
export type DestinationRequest = SaveDestination | Exclude<SendArtifact, { destinationId: string }>;

/** A destination, with a webhook's signing secret if this request created it. */
export interface SavedDestination {
  readonly destination: Destination;
  readonly signingSecret: string | null;
  readonly isNew: boolean;
}

/** A validated request: settings, which may be shown, and secrets, which are encrypted. */
interface ValidatedDestination {
  readonly kind: "webhook" | "s3";
  /** A workspace has at most one destination with this identity. */
  readonly identity: readonly string[];
  readonly settings: WebhookSettings | S3Settings;
  readonly secrets: (signingSecret: string) => object;
  /** Null when the request has none. */
  readonly events: readonly WebhookEvent[] | null;
  readonly lowBalanceBelow: number | null;
}

function validate(request: DestinationRequest, rules: AddressRules): Outcome<ValidatedDestination> {
  if (request.kind === "webhook") {
    const url = checkAddress(request.url, rules);
    if (!url.ok) return url;
    const settings: WebhookSettings = {
      url: `${url.value.origin}${url.value.pathname}`,
      previousSecretUntilMs: null,
    };
    const secrets = (signingSecret: string): WebhookSecrets => ({
      url: url.value.href,
      signingSecret,
      previous: [],
    });
    const events = "events" in request ? (request.events ?? []) : null;
    const lowBalanceBelow = "lowBalanceBelow" in request ? (request.lowBalanceBelow ?? null) : null;
    return accept({
      kind: "webhook",
      identity: [url.value.href],
      settings,
      secrets,
      events,
      lowBalanceBelow,
    });
  }
  const checked = checkEndpoint(request.endpoint, rules);
  if (!checked.ok) return checked;
  const endpoint = checked.value;
  const { region, bucket, accessKeyId, secretAccessKey } = request;
  const prefix = (request.prefix ?? "").replace(/\/$/, "");
  return accept({
    kind: "s3",
    identity: [endpoint, region, bucket, prefix, accessKeyId],
    settings: { endpoint, region, bucket, prefix, accessKeyId },
    secrets: () => ({ secretAccessKey }),
    events: null,
    lowBalanceBelow: null,
  });
}

/**
 * Creates a destination, or updates the one with the same address: a webhook's events, a store's secret. A webhook
 * whose secrets cannot be decrypted gets new ones. 422 ADDRESS_REFUSED, 409 DESTINATION_LIMIT_REACHED.
 */
export async function saveDestination(
  deps: DestinationDeps,
  workspaceId: string,
  request: DestinationRequest,
): Promise<Outcome<SavedDestination>> {
  const validated = validate(request, deps.addressRules);
  if (!validated.ok) return validated;
  const { value } = validated;
  const identity = await sha256Hex(JSON.stringify([value.kind, ...value.identity]));
  const existing = await destinationByIdentity.first(deps.db, { workspaceId, identity });
  if (existing !== null) return updateDestination(deps, existing, identity, value);
  const made = await createDestination(deps, workspaceId, identity, value);
  // A concurrent request may have created it; update it instead.
  return made.ok && !made.value.isNew
    ? updateDestination(deps, made.value.destination, identity, value)
    : made;
}

async function createDestination(
  { db, encryption, guards, nowMs, actor, cause }: DestinationDeps,
  workspaceId: string,
  identity: string,
  { kind, settings, secrets, events, lowBalanceBelow }: ValidatedDestination,
): Promise<Outcome<SavedDestination>> {
  const destinationId = newId();
  const signingSecret = newSigningSecret();
  const owner = { workspaceId, destinationId };
  const sealed = await seal(encryption, owner, JSON.stringify(secrets(signingSecret)));
  const shown = { kind, identity, settings, events: events ?? [], lowBalanceBelow };
  const row = { ...owner, ...shown, sealed, createdBy: actor.createdBy, nowMs };
  const event = destinationEvent("destination.created", { ...owner, settings }, events);
  await db.batch([
    ...guards,
    insertDestination.bind(db, row),
    auditDestination.bind(db, auditRow(cause, event)),
  ]);
  const saved = await destinationByIdentity.first(db, { workspaceId, identity });
  if (saved === null) {
    const { destinationsPerWorkspaceMax: countMax, destinationRowsPerWorkspaceMax: rowsMax } =
      DELIVERY_LIMITS;
    return refuse(
      "DESTINATION_LIMIT_REACHED",
      `The workspace already has ${countMax} destinations, or ${rowsMax} with removed ones that deliveries still name.`,
    );
  }
  const isNew = saved.destinationId === destinationId;
  return accept({
    destination: saved,
    signingSecret: isNew && kind === "webhook" ? signingSecret : null,
    isNew,
  });
}

async function updateDestination(
  { db, encryption, guards, cause }: DestinationDeps,
  existing: Destination,
  identity: string,
  { kind, settings, secrets, events, lowBalanceBelow }: ValidatedDestination,
): Promise<Outcome<SavedDestination>> {
  const { workspaceId, destinationId } = existing;
  const id = { workspaceId, destinationId };
  const updates: D1PreparedStatement[] = [];
  const sealWith = (signingSecret: string) =>
    seal(encryption, existing, JSON.stringify(secrets(signingSecret)));
  let renewed: { readonly signingSecret: string; readonly sealed: string } | null = null;
  if (kind === "s3") {
    const sealed = await sealWith("");
    updates.push(overwriteSecrets.bind(db, { ...id, sealed }), ...secretChanged(db, cause, existing, sealed));
  } else if ((await unseal(encryption, existing, existing.sealed ?? "")) === null) {
    const signingSecret = newSigningSecret();
    renewed = { signingSecret, sealed: await sealWith(signingSecret) };
    const { sealed } = renewed;
    updates.push(
      replaceSecrets.bind(db, { ...id, readSealed: existing.sealed, sealed, settings }),
      ...secretChanged(db, cause, existing, sealed),
    );
  }
  if (events !== null) {
    updates.push(...eventsChange(db, cause, existing, { events, lowBalanceBelow }));
  }
  if (updates.length > 0) await db.batch([...guards, ...updates]);
  const updated = await destinationByIdentity.first(db, { workspaceId, identity });
  if (updated === null) return missingDestination();
  // Each encryption has its own nonce, so identical ciphertext means that this secret was stored.
  const signingSecret = renewed !== null && updated.sealed === renewed.sealed ? renewed.signingSecret : null;
  return accept({ destination: updated, signingSecret, isNew: false });
}

type Changed = Pick<Destination, "workspaceId" | "destinationId" | "settings">;

/** An audit event of a destination. Contains only the host of its URL, because the path may be a secret. */
export const destinationEvent = (
  type: `destination.${string}` & AuditType,
  { workspaceId, destinationId, settings }: Changed,
  events: readonly WebhookEvent[] | null = null,
): NewAuditEvent => ({
  ...{ type, workspaceId, subjectId: destinationId },
  subjectName: new URL("endpoint" in settings ? settings.endpoint : settings.url).host,
  ...(events && { detail: events.join(" ") }),
});

/** The audit event of secrets stored earlier in the batch. */
export const secretChanged = (db: D1Database, cause: Cause, changed: Changed, sealed: string) => [
  auditSecret.bind(db, {
    ...auditRow(cause, destinationEvent("destination.secret_changed", changed)),
    sealed,
  }),
];

/** Replaces a webhook's events and balance threshold, with an audit event if that changes them. */
export const eventsChange = (
  db: D1Database,
  cause: Cause,
  { workspaceId, destinationId, settings }: Changed,
  change: { readonly events: readonly WebhookEvent[]; readonly lowBalanceBelow: number | null },
) => {
  const { events } = change;
  const event = destinationEvent("destination.changed", { workspaceId, destinationId, settings }, events);
  return [
    auditChange.bind(db, { ...auditRow(cause, event), ...change }),
    updateEvents.bind(db, { workspaceId, destinationId, ...change }),
  ];
};

/** The refusal for a missing or deleted destination, or another workspace's. */
export const missingDestination = () =>
  refuse("DESTINATION_NOT_FOUND", "The workspace has no destination with this id.");
