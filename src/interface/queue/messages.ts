import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { DIRECTORY, type Home, isShardName } from "#platform/databases/shard-name.ts";
import { type LeaseHolder, leaseHolder } from "#platform/db/lease.ts";
import { newId } from "#platform/ids.ts";
import { type MessageResult, retryAfter } from "#platform/leased-work/message-result.ts";
import { type LogLine, log } from "#platform/log/log.ts";
import { noteWritten, onBehalfOf } from "#platform/log/origin-of-work.ts";

/** The message protocol that rendering, deliveries, imports and mail share. See README.md. */

/**
 * Members of every message: the workspace's shard (`DB` if absent), and the id of the request behind the work, as
 * logged (absent in messages from a sweep).
 */
const sharedMembers = {
  shard: z.string().refine(isShardName).optional(),
  requestId: z.string().max(LIMITS.requestIdCharactersMax).optional(),
};

const sharedSchema = z.object({ ...sharedMembers, jobId: z.uuid().optional() });

const jobId = z.uuid();

/**
 * A part of a job. A message contains ids only; the consumer reads everything else. Messages of the previous version,
 * which may be in the queue during a deployment, contain positions of outputs instead.
 */
export const renderMessageSchema = z.union([
  z.strictObject({
    ...sharedMembers,
    jobId,
    part: z
      .int()
      .min(0)
      .max(LIMITS.sizesPerJobMax - 1),
  }),
  z.strictObject({ ...sharedMembers, jobId, positions: z.array(z.int()).min(1) }),
]);
export type RenderMessage = z.infer<typeof renderMessageSchema>;

const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 300_000;

/** Delay before the next attempt at a part: 5, 15, 45, 135, then 300 s. `attempts` counts from 1. */
export const renderRetryMs = (attempts: number): number =>
  Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 3 ** Math.max(0, attempts - 1));

/** Schema of a message that names one row; its output is the row's id. */
export function messageNaming(key: string): z.ZodType<string> {
  const members: Record<string, z.ZodType<string | undefined>> = { ...sharedMembers, [key]: z.uuid() };
  return z.strictObject(members).transform((body) => String(body[key]));
}

/** Runs work after a batch. If the batch has a single message, logs the work under that message's request and job. */
export function afterBatch<T>({ messages }: MessagePart, work: () => T): T {
  const { requestId, jobId } =
    sharedSchema.safeParse(messages.length === 1 ? messages[0]?.body : null).data ?? {};
  return onBehalfOf(requestId, () => {
    if (jobId !== undefined) noteWritten(jobId);
    return work();
  });
}

/** The database of a message's work; `DB` for an invalid body. */
export function homeOfMessage(body: unknown): Home {
  return sharedSchema.safeParse(body).data?.shard ?? DIRECTORY;
}

/** Messages consumed together: those of a batch that share a database. */
export type MessagePart = Pick<MessageBatch, "queue" | "messages">;

/** How one queue's messages are consumed. */
interface MessageConsumer<Body> {
  readonly schema: z.ZodType<Body>;
  /** Log events of an invalid body, of an attempt that threw, and of the results `exhausted` and `pending`. */
  readonly events: {
    readonly unreadable: string;
    readonly failed: string;
    readonly exhausted: string;
    readonly pending?: string;
  };
  /** Ids for the log lines. */
  readonly idsOf: (body: Body) => Pick<LogLine, "jobId" | "deliveryId" | "assetId" | "mailId" | "code">;
  /** Attempts the work once. Throws if a service fails; the whole attempt may then be repeated. */
  readonly attempt: (body: Body, holder: LeaseHolder) => Promise<MessageResult>;
  /** Delay after an attempt that threw; attempts count from 1. */
  readonly retryDelayMs: (attempts: number) => number;
}

/** Consumes a batch, one message after another. Acknowledges or retries each separately; never throws. */
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
    log.failure({ event: events.failed, ...idsOf(body), attempt: attempts }, thrown);
    return retryAfter(retryDelayMs(attempts));
  }
}
