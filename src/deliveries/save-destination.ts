import { DELIVERY_LIMITS, type WebhookEvent } from "../contract/deliveries.ts";
import { accept, type Outcome, refuse } from "../contract/errors.ts";
import type { SaveDestination, SendArtifact } from "../contract/schemas/destination.ts";
import { sha256Hex } from "../platform/hashing.ts";
import { newId } from "../platform/ids.ts";
import { type AddressRules, checkAddress } from "./address-guard.ts";
import type { Destination, StoreSettings, WebhookSecrets, WebhookSettings } from "./destination.ts";
import {
  findByIdentity,
  insertDestinationStatement,
  replaceSealedStatement,
  updateEventsStatement,
} from "./destination-store.ts";
import { type EncryptionKeys, seal } from "./sealed-secret.ts";
import { newSigningSecret } from "./signature.ts";

/** What decisions about destinations are made from. */
export interface DestinationDeps {
  readonly db: D1Database;
  readonly encryption: EncryptionKeys;
  readonly addressRules: AddressRules;
  readonly nowMs: number;
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
  const endpoint = checkAddress(request.endpoint, rules);
  if (!endpoint.ok) return endpoint;
  const { origin, pathname, search } = endpoint.value;
  if (pathname !== "/" || search !== "") {
    return refuse("ADDRESS_REFUSED", "The endpoint of a store must be an origin, without a path.");
  }
  const { region, bucket, accessKeyId, secretAccessKey } = request;
  const prefix = (request.prefix ?? "").replace(/\/$/, "");
  return accept({
    kind: "s3",
    identity: [origin, region, bucket, prefix, accessKeyId],
    settings: { endpoint: origin, region, bucket, prefix, accessKeyId },
    secrets: () => ({ secretAccessKey }),
    events: null,
    lowBalanceBelow: null,
  });
}

/**
 * Saves a destination, or finds the one of the same address and brings it up to date: what a webhook is told, and a
 * store's secret. 422 ADDRESS_REFUSED, 409 DESTINATION_LIMIT_REACHED.
 */
export async function saveDestination(
  deps: DestinationDeps,
  workspaceId: string,
  request: DestinationRequest,
): Promise<Outcome<SavedDestination>> {
  const { db, nowMs } = deps;
  const described = describe(request, deps.addressRules);
  if (!described.ok) return described;
  const { kind, settings, secrets, events, lowBalanceBelow } = described.value;
  const identity = await sha256Hex(JSON.stringify([kind, ...described.value.identity]));

  const existing = await findByIdentity(db, workspaceId, identity);
  if (existing === null) {
    const destinationId = newId();
    const signingSecret = newSigningSecret();
    const sealed = await seal(
      deps.encryption,
      { workspaceId, destinationId },
      JSON.stringify(secrets(signingSecret)),
    );
    await db.batch([
      ...deps.guards,
      insertDestinationStatement(
        db,
        {
          destinationId,
          workspaceId,
          kind,
          identity,
          settings,
          sealed,
          events: events ?? [],
          lowBalanceBelow,
        },
        DELIVERY_LIMITS.destinationsPerWorkspaceMax,
        nowMs,
      ),
    ]);
    const saved = await findByIdentity(db, workspaceId, identity);
    if (saved === null) {
      return refuse(
        "DESTINATION_LIMIT_REACHED",
        `The workspace has its ${DELIVERY_LIMITS.destinationsPerWorkspaceMax} destinations.`,
      );
    }
    // Another request may have been first; then its answer showed the secret.
    const isOurs = saved.destinationId === destinationId;
    const shown = isOurs && kind === "webhook" ? signingSecret : null;
    return accept({ destination: saved, signingSecret: shown, isNew: isOurs });
  }

  const { destinationId } = existing;
  const updates: D1PreparedStatement[] = [];
  if (kind === "s3") {
    const sealed = await seal(deps.encryption, { workspaceId, destinationId }, JSON.stringify(secrets("")));
    updates.push(replaceSealedStatement(db, existing, sealed, settings));
  } else if (events !== null) {
    updates.push(updateEventsStatement(db, workspaceId, destinationId, events, lowBalanceBelow));
  }
  if (updates.length > 0) await db.batch([...deps.guards, ...updates]);
  const updated = await findByIdentity(db, workspaceId, identity);
  return updated === null
    ? missingDestination()
    : accept({ destination: updated, signingSecret: null, isNew: false });
}

/** What a missing, removed or foreign destination is answered with. */
export const missingDestination = () =>
  refuse("DESTINATION_NOT_FOUND", "The workspace has no destination of this id.");
