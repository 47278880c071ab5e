import { type Refusal, refuse } from "#api/errors.ts";
import { findStopped } from "../destination.ts";
import type { Destination } from "../destination-store.ts";

/**
 * Why a job may not name a destination for the message at its end, or null: 422 DESTINATION_UNKNOWN (missing, removed or
 * foreign), 422 DESTINATION_UNSUPPORTED (a store), 409 DESTINATION_DISABLED and DESTINATION_PAUSED. What becomes of the
 * destination later is for the end of the job: no message is written for one that is gone or stopped by then.
 */
export function findNotifyRefusal(destination: Destination | null): Refusal | null {
  if (destination === null || destination.sealed === null) {
    return refuse("DESTINATION_UNKNOWN", "The workspace has no destination with the id named in `notify`.");
  }
  if (destination.kind !== "webhook") {
    return refuse(
      "DESTINATION_UNSUPPORTED",
      "The destination named in `notify` is a store and takes no messages.",
    );
  }
  return findStopped(destination);
}
