import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import type { DestinationBody } from "../contract/schemas/destination.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/clock.ts";
import type { Destination } from "./destination-store.ts";

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

/** Whether only an owner may have it sent to again. */
export const isPaused = ({ disabledCode }: Pick<Destination, "disabledCode">): boolean =>
  disabledCode === "CREATOR_REMOVED";

/** Why nothing is sent to a destination, in words. */
const DISABLED_MESSAGES = {
  RECEIVER_GONE: "Its receiver answered that it is gone (410). Mend it, then enable the destination.",
  CREATOR_REMOVED:
    "The member who made it is no longer in the workspace. An owner enables it again, or removes it.",
} as const;

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
  const { settings } = destination;
  if ("endpoint" in settings) {
    const { endpoint, region, bucket, prefix, accessKeyId } = settings;
    return { kind: "s3", ...common, endpoint, region, bucket, prefix, accessKeyId };
  }
  const { url, previousSecretUntilMs } = settings;
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
