import { type Refusal, refuse } from "#api/errors.ts";
import { findStopped } from "../destination.ts";
import type { Destination } from "../destination-store.ts";

/**
 * The refusal of a destination that a job cannot notify when it ends, or null: 422 DESTINATION_UNKNOWN (missing,
 * deleted or another workspace's), 422 DESTINATION_UNSUPPORTED (a store), 409 DESTINATION_DISABLED and
 * DESTINATION_PAUSED. Checked again when the job ends: a destination that is deleted, disabled or paused by then gets
 * no message.
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
