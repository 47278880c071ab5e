import { clock } from "../clock.ts";
import type { LeasedRows } from "../db/leased-rows.ts";
import type { Statement } from "../db/statement.ts";
import { log, loggedRequestId } from "../log/log.ts";
import { hasWritten, originRequestId } from "../log/origin-of-work.ts";

/** The queue takes at most 100 messages and 256 KB per call; 100 of ours are under 60 KB. */
const MESSAGES_PER_SEND_MAX = 100;

/** Sends messages. Throws if the queue refuses. Messages sent before that may be sent twice. */
export async function sendMessages(queue: Queue, bodies: readonly object[]): Promise<void> {
  for (let start = 0; start < bodies.length; start += MESSAGES_PER_SEND_MAX) {
    const messages = bodies.slice(start, start + MESSAGES_PER_SEND_MAX).map((body) => ({ body }));
    await queue.sendBatch(messages);
  }
}

/** Rows due for an attempt without a message, in sending order. `jobId`: the job whose end wrote the row. */
type PendingRows = Statement<
  { nowMs: number; limit: number },
  { readonly id: string; readonly jobId?: string | null }
>;

/** Functions that send the messages of pending rows: after a write, and in the sweep. */
export function dispatchOf({ name, messageKey, markDispatched }: LeasedRows, pending: PendingRows) {
  /** Sends messages for the rows that are due; returns their number. Throws if the queue refuses. */
  const sendPending = async (queue: Queue, db: D1Database, nowMs: number): Promise<number> => {
    const found = await pending.all(db, { nowMs, limit: MESSAGES_PER_SEND_MAX });
    if (found.length === 0) return 0;
    const requestId = originRequestId();
    const bodies = found.map(({ id, jobId }) => ({
      [messageKey]: id,
      ...(requestId !== undefined && hasWritten([id, jobId]) && { requestId: loggedRequestId(requestId) }),
    }));
    await sendMessages(queue, bodies);
    await markDispatched.run(db, { ids: JSON.stringify(found.map(({ id }) => id)), nowMs });
    return found.length;
  };
  return {
    sendPending,
    /** Sends messages after a write. Never throws; the sweep sends the rest. */
    enqueue: async (queue: Queue, db: D1Database): Promise<void> => {
      try {
        await sendPending(queue, db, clock.now());
      } catch (thrown) {
        log.failure({ event: `${name}_messages_unsent` }, thrown);
      }
    },
  };
}
