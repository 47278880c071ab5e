import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { clock } from "#platform/clock.ts";
import { DIRECTORY, type Home, isShardName } from "#platform/databases/shard-name.ts";
import { type LeaseHolder, leaseHolder } from "#platform/db/lease.ts";
import { newId } from "#platform/ids.ts";
import { type LogLine, log, loggedRequestId } from "#platform/log/log.ts";
import { hasWritten, noteWritten, onBehalfOf, originRequestId } from "#platform/log/origin-of-work.ts";

/** The protocol of background work, which rendering, deliveries, imports and mail share. See README.md. */

/**
 * What every message may carry: the shard of the workspace, `DB` where absent, and the id of the request that the work
 * belongs to, as logs have it; absent in messages that a sweep sends.
 */
export const sharedMembers = {
  shard: z.string().refine(isShardName).optional(),
  requestId: z.string().max(LIMITS.requestIdCharactersMax).optional(),
};

const sharedSchema = z.object({ ...sharedMembers, jobId: z.uuid().optional() });

/** Runs what follows a batch: on behalf of the request whose job its only message draws, where it is one. */
export function afterBatch<T>({ messages }: MessagePart, work: () => T): T {
  const { requestId, jobId } =
    sharedSchema.safeParse(messages.length === 1 ? messages[0]?.body : null).data ?? {};
  return onBehalfOf(requestId, () => {
    if (jobId !== undefined) noteWritten(jobId);
    return work();
  });
}

/** The database that a message's work is on; of a body that no schema takes, `DB`. */
export function homeOfMessage(body: unknown): Home {
  return sharedSchema.safeParse(body).data?.shard ?? DIRECTORY;
}

/** What became of a message's work. All but `retry` acknowledge the message. */
export type MessageResult =
  /** Nothing is left to do for this message. */
  | { readonly kind: "done" }
  /** The queue sends the message again after this time. */
  | { readonly kind: "retry"; readonly afterMs: number }
  /** The work had all its attempts and has ended. */
  | { readonly kind: "exhausted" }
  /** The work waits for another message, which the sweep sends. */
  | { readonly kind: "pending" };

export const DONE: MessageResult = { kind: "done" };
export const EXHAUSTED: MessageResult = { kind: "exhausted" };
export const retryAfter = (afterMs: number): MessageResult => ({ kind: "retry", afterMs });

/** Messages of a queue that are consumed together: a batch, or those of it that are of one database. */
export type MessagePart = Pick<MessageBatch, "queue" | "messages">;

/** How the messages of one queue are consumed. */
interface MessageConsumer<Body> {
  readonly schema: z.ZodType<Body>;
  /** Names of log lines: for a body that the schema refuses, an attempt that threw, and the results of these names. */
  readonly events: {
    readonly unreadable: string;
    readonly failed: string;
    readonly exhausted: string;
    readonly pending?: string;
  };
  /** What the log lines name. */
  readonly idsOf: (body: Body) => Pick<LogLine, "jobId" | "deliveryId" | "assetId" | "mailId" | "code">;
  /** Attempts the work once. Throws when a service that it needs fails; all of it may be repeated. */
  readonly attempt: (body: Body, holder: LeaseHolder) => Promise<MessageResult>;
  /** Time until a message whose attempt threw is sent again; attempts count from 1. */
  readonly retryDelayMs: (attempts: number) => number;
}

/** Consumes a batch, one message after another. Each is acknowledged or sent again on its own; never throws. */
export async function consumeMessages<Body>(
  batch: MessagePart,
  consumer: MessageConsumer<Body>,
): Promise<void> {
  for (const message of batch.messages) {
    const body = consumer.schema.safeParse(message.body);
    if (!body.success) {
      log.failure({ event: consumer.events.unreadable });
      message.ack();
      continue;
    }
    const requestId = sharedSchema.safeParse(message.body).data?.requestId;
    const result = await onBehalfOf(requestId, () => attemptSafely(consumer, body.data, message));
    if (result.kind === "retry") message.retry({ delaySeconds: Math.ceil(result.afterMs / 1_000) });
    else message.ack();
  }
}

async function attemptSafely<Body>(
  { events, idsOf, attempt, retryDelayMs }: MessageConsumer<Body>,
  body: Body,
  message: Message,
): Promise<MessageResult> {
  try {
    const result = await attempt(body, leaseHolder(message.id, newId()));
    const event = result.kind === "exhausted" || result.kind === "pending" ? events[result.kind] : undefined;
    if (event !== undefined) log.failure({ event, ...idsOf(body) });
    return result;
  } catch (thrown) {
    const { attempts } = message;
    log.failure(
      {
        event: events.failed,
        ...idsOf(body),
        attempt: attempts,
      },
      thrown,
    );
    return retryAfter(retryDelayMs(attempts));
  }
}

/** The queue takes at most 100 messages and 256 KB a call; 100 of ours are under 60 KB. */
const MESSAGES_PER_SEND_MAX = 100;

/** Sends messages. Throws when the queue refuses; some may have been sent by then, and may be sent again. */
export async function sendMessages(queue: Queue, bodies: readonly object[]): Promise<void> {
  for (let start = 0; start < bodies.length; start += MESSAGES_PER_SEND_MAX) {
    const messages = bodies.slice(start, start + MESSAGES_PER_SEND_MAX).map((body) => ({ body }));
    await queue.sendBatch(messages);
  }
}

/** The work of one queue that stands in the database until its messages are sent. */
interface PendingWork<Body> {
  /** What may be attempted now and has no message, the longest due first. */
  readonly pending: (db: D1Database, nowMs: number, limit: number) => Promise<readonly Body[]>;
  /** The message of a row; the row itself where there is none. */
  readonly messageOf?: (body: Body) => object;
  /** Notes that these messages were sent. */
  readonly markDispatched: (db: D1Database, bodies: readonly Body[], nowMs: number) => Promise<unknown>;
  /** Name of the log line for messages that the queue did not take. */
  readonly unsent: string;
}

/** Sending of work that was written before. */
interface Dispatch {
  /** Sends what may be attempted now; returns the number of messages. Throws when the queue refuses. */
  readonly sendPending: (queue: Queue, db: D1Database, nowMs: number) => Promise<number>;
  /** The same for work that was just written. Never throws: when sending fails, the sweep sends. */
  readonly enqueue: (queue: Queue, db: D1Database) => Promise<void>;
}

/** How the messages of pending work are sent: by whoever wrote it, and again by the sweep. */
export function dispatchOf<Body extends object>(work: PendingWork<Body>): Dispatch {
  const sendPending = async (queue: Queue, db: D1Database, nowMs: number) => {
    const bodies = await work.pending(db, nowMs, MESSAGES_PER_SEND_MAX);
    if (bodies.length === 0) return 0;
    const requestId = originRequestId();
    const messages = bodies.map((body) => {
      const message = work.messageOf?.(body) ?? body;
      return requestId !== undefined && hasWritten(Object.values(body))
        ? { ...message, requestId: loggedRequestId(requestId) }
        : message;
    });
    await sendMessages(queue, messages);
    await work.markDispatched(db, bodies, nowMs);
    return bodies.length;
  };
  return {
    sendPending,
    enqueue: async (queue, db) => {
      try {
        await sendPending(queue, db, clock.now());
      } catch (thrown) {
        log.failure({ event: work.unsent }, thrown);
      }
    },
  };
}
