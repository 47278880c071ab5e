import { latest } from "../db/reader.ts";
import { eventsPage, type StoredEvent } from "./store.ts";

/** A page of the ledger, newest first; `nextBefore` is the cursor of the page after it, null at the end. */
export interface UsagePage {
  readonly events: readonly StoredEvent[];
  readonly nextBefore: string | null;
}

/**
 * Reads one row more than asked, to know whether another page follows. `before` is decimal digits of any length:
 * a number that is larger than any event's reads from the newest.
 */
export async function readUsage(
  db: D1Database,
  workspaceId: string,
  limit: number,
  before: string | undefined,
): Promise<UsagePage> {
  const beforeEventId = Math.min(Number(before ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  const found = await eventsPage.all(latest(db), { workspaceId, beforeEventId, limit: limit + 1 });
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return { events, nextBefore: found.length > limit && last ? String(last.eventId) : null };
}
