import { DELIVERY_LIMITS, type WebhookEvent } from "../contract/deliveries.ts";
import { accept, type Outcome, refuse } from "../contract/errors.ts";
import type { SaveDestination, SendArtifact } from "../contract/schemas/destination.ts";
import type { StoreSettings, WebhookSettings } from "../db/schema/index.ts";
import { sha256Hex } from "../platform/hashing.ts";
import { newId } from "../platform/ids.ts";
import { type AddressRules, checkAddress } from "./address-guard.ts";
import type { WebhookSecrets } from "./destination.ts";
import {
  type Destination,
  destinationByIdentity,
  insertDestination,
  overwriteSecrets,
  replaceSecrets,
  updateEvents,
} from "./destination-store.ts";
import { type EncryptionKeys, seal, unseal } from "./sealed-secret.ts";
import { newSigningSecret } from "./signature.ts";
import { checkEndpoint } from "./store-endpoint.ts";

/** What decisions about destinations are made from. */
export interface DestinationDeps {
  readonly db: D1Database;
  readonly encryption: EncryptionKeys;
  readonly addressRules: AddressRules;
  readonly nowMs: number;
  /** Who asks. */
  readonly actor: { readonly accountId: string; readonly isOwner: boolean };
  /** Statements that stand first in each write and fail it when the caller may no longer write. */
  readonly guards: readonly D1PreparedStatement[];
}

/** A destination as it was asked for: a webhook or a store. */
export type DestinationRequest = SaveDestination | Exclude<SendArtifact, { destinationId: string }>;

/** A destination, and the secret of a webhook that this very request has made. */
export interface SavedDestination {
  readonly destination: Destination;
  readonly signingSecret: string | null;
  readonly isNew: boolean;
}

/** What a request says, checked and told apart: what may be shown, and what is encrypted. */
interface Described {
  readonly kind: "webhook" | "s3";
  /** What makes it the same destination as another. */
  readonly identity: readonly string[];
  readonly settings: WebhookSettings | StoreSettings;
  readonly secrets: (signingSecret: string) => object;
  /** Null where the request does not say. */
  readonly events: readonly WebhookEvent[] | null;
  readonly lowBalanceBelow: number | null;
}

function describe(request: DestinationRequest, rules: AddressRules): Outcome<Described> {
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
 * Saves a destination, or finds the one of the same address and brings it up to date: what a webhook is told, and a
 * store's secret. A webhook whose secrets cannot be read any more gets new ones. 422 ADDRESS_REFUSED,
 * 409 DESTINATION_LIMIT_REACHED.
 */
export async function saveDestination(
  deps: DestinationDeps,
  workspaceId: string,
  request: DestinationRequest,
): Promise<Outcome<SavedDestination>> {
  const described = describe(request, deps.addressRules);
  if (!described.ok) return described;
  const { value } = described;
  const identity = await sha256Hex(JSON.stringify([value.kind, ...value.identity]));
  const existing = await destinationByIdentity.first(deps.db, { workspaceId, identity });
  if (existing !== null) return bringUpToDate(deps, existing, identity, value);
  const made = await makeDestination(deps, workspaceId, identity, value);
  // Of two requests at once the other may have been first; what this one says holds as well.
  return made.ok && !made.value.isNew ? bringUpToDate(deps, made.value.destination, identity, value) : made;
}

async function makeDestination(
  { db, encryption, guards, nowMs, actor }: DestinationDeps,
  workspaceId: string,
  identity: string,
  { kind, settings, secrets, events, lowBalanceBelow }: Described,
): Promise<Outcome<SavedDestination>> {
  const destinationId = newId();
  const signingSecret = newSigningSecret();
  const owner = { workspaceId, destinationId };
  const sealed = await seal(encryption, owner, JSON.stringify(secrets(signingSecret)));
  const shown = { kind, identity, settings, events: events ?? [], lowBalanceBelow };
  const row = { ...owner, ...shown, sealed, createdBy: actor.accountId, nowMs };
  await db.batch([...guards, insertDestination.bind(db, row)]);
  const saved = await destinationByIdentity.first(db, { workspaceId, identity });
  if (saved === null) {
    const { destinationsPerWorkspaceMax: countMax, destinationRowsPerWorkspaceMax: rowsMax } =
      DELIVERY_LIMITS;
    return refuse(
      "DESTINATION_LIMIT_REACHED",
      `The workspace has its ${countMax} destinations, or ${rowsMax} with removed ones that deliveries still name.`,
    );
  }
  const isNew = saved.destinationId === destinationId;
  return accept({
    destination: saved,
    signingSecret: isNew && kind === "webhook" ? signingSecret : null,
    isNew,
  });
}

async function bringUpToDate(
  { db, encryption, guards }: DestinationDeps,
  existing: Destination,
  identity: string,
  { kind, settings, secrets, events, lowBalanceBelow }: Described,
): Promise<Outcome<SavedDestination>> {
  const { workspaceId, destinationId } = existing;
  const id = { workspaceId, destinationId };
  const updates: D1PreparedStatement[] = [];
  const sealWith = (signingSecret: string) =>
    seal(encryption, existing, JSON.stringify(secrets(signingSecret)));
  let renewed: { readonly signingSecret: string; readonly sealed: string } | null = null;
  if (kind === "s3") {
    updates.push(overwriteSecrets.bind(db, { ...id, sealed: await sealWith("") }));
  } else if ((await unseal(encryption, existing, existing.sealed ?? "")) === null) {
    const signingSecret = newSigningSecret();
    renewed = { signingSecret, sealed: await sealWith(signingSecret) };
    const { sealed } = renewed;
    updates.push(replaceSecrets.bind(db, { ...id, readSealed: existing.sealed, sealed, settings }));
  }
  if (events !== null) {
    updates.push(updateEvents.bind(db, { ...id, events, lowBalanceBelow }));
  }
  if (updates.length > 0) await db.batch([...guards, ...updates]);
  const updated = await destinationByIdentity.first(db, { workspaceId, identity });
  if (updated === null) return missingDestination();
  // Every sealing is another text, so that this tells whether ours was the one.
  const signingSecret = renewed !== null && updated.sealed === renewed.sealed ? renewed.signingSecret : null;
  return accept({ destination: updated, signingSecret, isNew: false });
}

/** What a missing, removed or foreign destination is answered with. */
export const missingDestination = () =>
  refuse("DESTINATION_NOT_FOUND", "The workspace has no destination of this id.");
