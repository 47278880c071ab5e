import { accept, type Outcome } from "../api/errors.ts";
import { refuseCursor } from "../api/refuse-cursor.ts";
import { type Page, toPage } from "../db/page.ts";
import { latest } from "../db/reader.ts";
import { sha256Hex } from "../platform/hashing.ts";
import { eventByNumber, eventsPage, markedEvents, type StoredEvent } from "./store.ts";

/**
 * Pages of the ledger. Each database numbers its events itself, so that a move may give them larger numbers. A cursor is the number
 * of a page's last event and what tells that event apart from others: `<number>-<Unix ms>-<of the hash of its reference>`.
 */

/** What tells an event apart, beside its time. */
const MARK_CHARACTERS = 8;

interface Cursor {
  readonly eventId: number;
  /** Null where the number was given alone. */
  readonly event: { readonly createdAt: number; readonly mark: string } | null;
}

type MarkedEvent = Pick<StoredEvent, "eventId" | "createdAt" | "reference">;

const markOf = async ({ reference }: Pick<StoredEvent, "reference">): Promise<string> =>
  (await sha256Hex(reference)).slice(0, MARK_CHARACTERS);

const cursorOf = async (event: MarkedEvent): Promise<string> =>
  `${event.eventId}-${event.createdAt}-${await markOf(event)}`;

/** A number that is larger than any event's reads from the newest. */
function readCursor(before: string): Cursor {
  const [number, createdAt, mark] = before.split("-");
  return {
    eventId: Math.min(Number(number), Number.MAX_SAFE_INTEGER),
    event: createdAt === undefined || mark === undefined ? null : { createdAt: Number(createdAt), mark },
  };
}

/** The event that a cursor was taken at, among some. */
async function findEvent(
  events: readonly MarkedEvent[],
  { createdAt, mark }: NonNullable<Cursor["event"]>,
): Promise<MarkedEvent | null> {
  for (const event of events) {
    if (event.createdAt === createdAt && (await markOf(event)) === mark) return event;
  }
  return null;
}

/**
 * Events older than the one that a cursor was taken at, wherever the workspace lives by now; null where there is no
 * such event, or a move gave it a larger number and it is not among the newest `SEARCHED_EVENTS_MAX`.
 */
async function eventsBehind(
  session: D1DatabaseSession,
  { eventId, event }: { readonly eventId: number; readonly event: NonNullable<Cursor["event"]> },
  page: { readonly workspaceId: string; readonly limit: number },
): Promise<readonly StoredEvent[] | null> {
  const { workspaceId } = page;
  const [found, known] = await session.batch([
    eventsPage.bind(session, { ...page, beforeEventId: eventId }),
    eventByNumber.bind(session, { workspaceId, eventId }),
  ]);
  if ((await findEvent(eventByNumber.rows(known), event)) !== null) return eventsPage.rows(found);
  // In a database to which the workspace has moved since, and where the event's number is a larger one.
  const marked = { workspaceId, afterEventId: eventId, createdAt: event.createdAt };
  const moved = await findEvent(await markedEvents.all(session, marked), event);
  return moved === null ? null : eventsPage.all(session, { ...page, beforeEventId: moved.eventId });
}

/**
 * A page of the workspace's ledger, newest first. `before` is a page's `nextBefore`, or an event's number as it is now: decimal
 * digits of any length. 400 INVALID_CURSOR for one of no event of the workspace.
 */
export async function readUsage(
  db: D1Database,
  workspaceId: string,
  limit: number,
  before: string | undefined,
): Promise<Outcome<Page<StoredEvent, string>>> {
  const { eventId, event } = readCursor(before ?? String(Number.MAX_SAFE_INTEGER));
  const session = latest(db);
  const page = { workspaceId, limit: limit + 1 };
  const found =
    event === null
      ? await eventsPage.all(session, { ...page, beforeEventId: eventId })
      : await eventsBehind(session, { eventId, event }, page);
  if (found === null) return refuseCursor("must be `nextBefore` of a page of this workspace");
  const { items, nextBefore: last } = toPage(found, limit, (item) => item);
  return accept({ items, nextBefore: last === null ? null : await cursorOf(last) });
}
