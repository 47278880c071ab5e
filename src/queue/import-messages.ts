import { z } from "zod";
import { markImportsDispatched, pendingImports } from "../assets/import-dispatch-store.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { MESSAGES_PER_SEND_MAX, sendMessages } from "./messages.ts";

/** Asks for an import to be attempted. Names its asset only; everything else is read when it arrives. */
export const importMessageSchema = z.strictObject({ assetId: z.uuid() });

/**
 * Sends messages for pending imports that may be attempted now; returns their number. Throws when the queue refuses. An
 * import whose workspace has as many under way as it may is sent when one of those ends.
 */
export async function sendPendingImports(queue: Queue, db: D1Database, nowMs: number): Promise<number> {
  const messages = await pendingImports.all(db, { nowMs, limit: MESSAGES_PER_SEND_MAX });
  if (messages.length === 0) return 0;
  await sendMessages(queue, messages);
  const assetIds = JSON.stringify(messages.map(({ assetId }) => assetId));
  await markImportsDispatched.run(db, { assetIds, nowMs });
  return messages.length;
}

/** Enqueues imports that were just written. Never throws: when sending fails, the sweep sends. */
export async function enqueueImports(queue: Queue, db: D1Database): Promise<void> {
  try {
    await sendPendingImports(queue, db, clock.now());
  } catch (thrown) {
    log.failure({ event: "import_messages_unsent", errorName: errorNameOf(thrown) });
  }
}
