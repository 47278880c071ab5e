import { accept, type Outcome, refuseCursor } from "#api/errors.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import { latest } from "#platform/db/reader.ts";
import { eventByNumber, eventsPage, markedEvents, type StoredEvent } from "./store.ts";

/**
 * Ledger cursors. Each database numbers its events, and a move may renumber them. So a cursor concatenates the number
 * of the page's last event, its time in Unix ms, and the first 32 bits of its reference's hash. All are decimal digits
 * (API §4.17), the last two at full width.
 */
const CURSOR = /^([1-9][0-9]{0,15})([0-9]{13})([0-9]{10})$/;

interface Cursor {
  readonly eventId: number;
  /** Null when the cursor is a bare event number. */
  readonly event: { readonly createdAt: number; readonly mark: number } | null;
}

type MarkedEvent = Pick<StoredEvent, "eventId" | "createdAt" | "reference">;

const markOf = async ({ reference }: Pick<StoredEvent, "reference">): Promise<number> =>
  Number.parseInt((await sha256Hex(reference)).slice(0, 8), 16);

/** The cursor after an event. */
export async function cursorOf(event: MarkedEvent): Promise<string> {
  const mark = await markOf(event);
  return `${event.eventId}${String(event.createdAt).padStart(13, "0")}${String(mark).padStart(10, "0")}`;
}

/**
 * Parses a cursor. A text of another length is a bare event number; one that is larger than every event number starts
 * at the newest event.
 */
function readCursor(before: string): Cursor {
  const [, number, createdAt, mark] = CURSOR.exec(before) ?? [];
  return {
    eventId: Math.min(Number(number ?? before), Number.MAX_SAFE_INTEGER),
    event: createdAt === undefined ? null : { createdAt: Number(createdAt), mark: Number(mark) },
  };
}

/** The event of a cursor among candidates. */
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
 * Events older than a cursor's event, even if the workspace has moved since. Null when there is no such event, or when
 * a move renumbered it and it is not among the newest `SEARCHED_EVENTS_MAX`.
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
  // The workspace may have moved here since, which may have given the event a larger number.
  const marked = { workspaceId, afterEventId: eventId, createdAt: event.createdAt };
  const moved = await findEvent(await markedEvents.all(session, marked), event);
  return moved === null ? null : eventsPage.all(session, { ...page, beforeEventId: moved.eventId });
}

/**
 * A page of the workspace's ledger, newest first. `before` is a page's `nextBefore` or an event's number. 400
 * INVALID_CURSOR for a cursor whose event the workspace does not have.
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
