import { type Refusal, refuse } from "#api/errors.ts";
import type { DestinationBody } from "#api/schemas/destination.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import type { Destination } from "./destination-store.ts";

/** True when only an owner may enable it. */
export const isPaused = ({ disabledCode }: Pick<Destination, "disabledCode">): boolean =>
  disabledCode === "CREATOR_REMOVED";

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

/**
 * The refusal of a destination that currently accepts no deliveries, or null. 409 DESTINATION_PAUSED and
 * DESTINATION_DISABLED.
 */
export function findStopped(destination: Destination): Refusal | null {
  if (destination.disabledAtMs === null && destination.sealed !== null) return null;
  if (destination.sealed === null) return refuse("DESTINATION_DISABLED", "The destination was removed.");
  return isPaused(destination)
    ? refuse(
        "DESTINATION_PAUSED",
        "The destination is paused: the member who made it is no longer in the workspace.",
      )
    : refuse("DESTINATION_DISABLED", "The destination's receiver answered 410 Gone.");
}

const statusOf = (destination: Destination): DestinationBody["status"] =>
  destination.disabledAtMs === null ? "active" : isPaused(destination) ? "paused" : "disabled";

/** The API's representation of a destination, without its secrets. */
export function presentDestination(destination: Destination, nowMs: number): DestinationBody {
  const common = {
    destinationId: destination.destinationId,
    status: statusOf(destination),
    statusReason: reasonOf(destination),
    createdAt: toTimestamp(destination.createdAtMs),
    createdBy: destination.createdBy,
    createdByKeyId: destination.createdByKeyId,
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
