import { DELIVERY_LIMITS, type WebhookEvent } from "../contract/deliveries.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { DestinationBody } from "../contract/schemas/destination.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/clock.ts";

/** Where checksums are used: an object put whole, one put in parts, and asking what the store holds. */
export type ChecksumUse = "put" | "parts" | "head";

/** The uses that a store refuses or ignores, each with the time at which that was found (Unix ms). */
export type RefusedChecksums = Readonly<Partial<Record<ChecksumUse, number>>>;

/** A signing secret that was replaced and still signs for a while. */
interface PreviousSecret {
  readonly secret: string;
  readonly untilMs: number;
}

/** What of a destination stands encrypted. */
export interface WebhookSecrets {
  readonly url: string;
  readonly signingSecret: string;
  /** Latest first. */
  readonly previous: readonly PreviousSecret[];
}
export interface StoreSecrets {
  readonly secretAccessKey: string;
}

/** What of a destination may be shown to its workspace. */
export interface WebhookSettings {
  /** Without its query. */
  readonly url: string;
  readonly previousSecretUntilMs: number | null;
}
export interface StoreSettings {
  /** An origin, and the path of the store's S3 interface where it has one; no slash at its end. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Without a slash at its end; empty for none. */
  readonly prefix: string;
  readonly accessKeyId: string;
  /** Found out by sending; not shown. */
  readonly refusedChecksums?: RefusedChecksums;
}

/** Why nothing is sent to a destination. */
export type DisabledCode = "RECEIVER_GONE" | "CREATOR_REMOVED";

interface Creator {
  readonly accountId: string;
  readonly name: string;
  /** Null once they have left the workspace. */
  readonly role: "owner" | "member" | null;
}

interface DestinationRow {
  readonly destinationId: string;
  readonly workspaceId: string;
  /** Null once the destination is removed. */
  readonly sealed: string | null;
  readonly events: readonly WebhookEvent[];
  readonly lowBalanceBelow: number | null;
  readonly createdAtMs: number;
  /** Who made it, and as what they are in the workspace now; null where nobody knows. */
  readonly createdBy: Creator | null;
  readonly disabledAtMs: number | null;
  readonly disabledCode: DisabledCode | null;
  /** When it was last not told something, because too much waited for it already. */
  readonly missedAtMs: number | null;
}

/** Where artifacts and messages are sent. Times are Unix milliseconds. */
export type Destination = DestinationRow &
  (
    | { readonly kind: "webhook"; readonly settings: WebhookSettings }
    | { readonly kind: "s3"; readonly settings: StoreSettings }
  );

/** Whether only an owner may have it sent to again. */
export const isPaused = ({ disabledCode }: Pick<Destination, "disabledCode">): boolean =>
  disabledCode === "CREATOR_REMOVED";

/** Why nothing is sent to a destination, in words. */
const DISABLED_MESSAGES: Readonly<Record<DisabledCode, string>> = {
  RECEIVER_GONE: "Its receiver answered that it is gone (410). Mend it, then enable the destination.",
  CREATOR_REMOVED:
    "The member who made it is no longer in the workspace. An owner enables it again, or removes it.",
};

function reasonOf({ disabledAtMs, disabledCode }: Destination): DestinationBody["statusReason"] {
  if (disabledAtMs === null) return null;
  const code = disabledCode ?? "RECEIVER_GONE";
  return { code, message: DISABLED_MESSAGES[code] };
}

/** Why nothing may be sent to a destination now, or null. 409 DESTINATION_PAUSED and DESTINATION_DISABLED. */
export function findStopped(destination: Destination): Refusal | null {
  if (destination.disabledAtMs === null && destination.sealed !== null) return null;
  if (destination.sealed === null) return refuse("DESTINATION_DISABLED", "The destination was removed.");
  return isPaused(destination)
    ? refuse(
        "DESTINATION_PAUSED",
        "The destination is paused: the member who made it is no longer in the workspace.",
      )
    : refuse("DESTINATION_DISABLED", "The destination's receiver said that it is gone.");
}

/** The secrets that sign a message now, the present one first. */
export const signingSecretsOf = (secrets: WebhookSecrets, nowMs: number): string[] => [
  secrets.signingSecret,
  ...secrets.previous.filter(({ untilMs }) => untilMs > nowMs).map(({ secret }) => secret),
];

/**
 * The secrets after a new one took over: what signed until now goes on signing for a day, so that a receiver has
 * time to take the new one. Null when too many sign already; dropping one would silence a receiver that has it.
 */
export function rotateSecrets(
  secrets: WebhookSecrets,
  signingSecret: string,
  nowMs: number,
): WebhookSecrets | null {
  const stillSigning = secrets.previous.filter(({ untilMs }) => untilMs > nowMs);
  if (stillSigning.length + 2 > DELIVERY_LIMITS.signingSecretsMax) return null;
  const replaced = { secret: secrets.signingSecret, untilMs: nowMs + DELIVERY_LIMITS.secretOverlapMs };
  return { url: secrets.url, signingSecret, previous: [replaced, ...stillSigning] };
}

const statusOf = (destination: Destination): DestinationBody["status"] =>
  destination.disabledAtMs === null ? "active" : isPaused(destination) ? "paused" : "disabled";

/** The destination as the interface shows it; nothing of `sealed` is in it. */
export function presentDestination(destination: Destination, nowMs: number): DestinationBody {
  const common = {
    destinationId: destination.destinationId,
    status: statusOf(destination),
    statusReason: reasonOf(destination),
    createdAt: toTimestamp(destination.createdAtMs),
    createdBy: destination.createdBy,
    disabledAt: toTimestampOrNull(destination.disabledAtMs),
  };
  if (destination.kind === "s3") {
    const { endpoint, region, bucket, prefix, accessKeyId } = destination.settings;
    return { kind: "s3", ...common, endpoint, region, bucket, prefix, accessKeyId };
  }
  const { url, previousSecretUntilMs } = destination.settings;
  return {
    kind: "webhook",
    ...common,
    url,
    events: [...destination.events],
    lowBalanceBelow: destination.lowBalanceBelow,
    missedAt: toTimestampOrNull(destination.missedAtMs),
    previousSecretUntil:
      previousSecretUntilMs !== null && previousSecretUntilMs > nowMs
        ? toTimestamp(previousSecretUntilMs)
        : null,
  };
}
