import { enqueueImports } from "#domains/assets/imports/dispatch-imports.ts";
import { importWork } from "#domains/assets/imports/import-attempt.ts";
import { attemptTopUps } from "#domains/billing/purchases/attempt-top-ups.ts";
import { deliveryWork } from "#domains/deliveries/attempt-delivery.ts";
import { enqueueDeliveries } from "#domains/deliveries/dispatch-deliveries.ts";
import { settleDeadPart } from "#domains/jobs/end-job.ts";
import { markJobUnsent } from "#domains/jobs/sweep-store.ts";
import { mailWork } from "#domains/mail/attempt-mail.ts";
import { enqueueMail } from "#domains/mail/dispatch-mail.ts";
import { noteDeadLetters } from "#domains/monitoring/measure.ts";
import { type RenderServices, renderPart } from "#operations/render-part.ts";
import type { Capabilities } from "#platform/bindings/capabilities.ts";
import { capabilitiesAt } from "#platform/bindings/capabilities-at.ts";
import { clock } from "#platform/clock.ts";
import { type MessageResult, PENDING } from "#platform/leased-work/message-result.ts";
import { log } from "#platform/log/log.ts";
import { getRenderer } from "#platform/render-engine.ts";
import { enqueueNext } from "./enqueue-jobs.ts";
import { consumeDeadLetters, consumeWork } from "./leased-messages.ts";
import {
  afterBatch,
  consumeMessages,
  homeOfMessage,
  type MessagePart,
  type RenderMessage,
  renderMessageSchema,
  renderRetryMs,
} from "./messages.ts";
import { consumeSweeps } from "./sweeps/sweep-messages.ts";

/** The capabilities, whose `database` is the message's database. */
type Origin = Capabilities & { readonly database: NonNullable<Capabilities["database"]> };

/** How one queue is consumed. */
interface QueueRow<Needs> {
  /** Suffix of the queue's name (wrangler.toml). */
  readonly suffix: string;
  /** Dependencies of `consume`; null if the origin is not configured for it. */
  readonly needs: (origin: Origin) => Needs | null;
  readonly consume: (batch: MessagePart, needs: Needs) => Promise<void>;
  /** Settles dead letters, from the queue `<suffix>-dead`, with the database alone. */
  readonly consumeDead: (batch: MessagePart, db: D1Database) => Promise<void>;
  /** Run in this order after a batch whose work wrote rows: top-ups, and sending of queue messages. */
  readonly afterwards: readonly ((origin: Origin) => Promise<void>)[];
}

/**
 * The render queue and the video queue have the same consumer; the video queue only keeps videos from delaying other
 * parts.
 */
const PARTS = {
  needs: rendering,
  consume: consumeRenders,
  consumeDead: consumeDeadRenders,
  afterwards: [topUp, sendDeliveries],
};

const QUEUES = [
  row({ suffix: "-render", ...PARTS }),
  row({ suffix: "-videos", ...PARTS }),
  row({
    suffix: "-deliveries",
    needs: ({ database: { db }, storage: bucket, deliveries, downloadSigning: linkKeys }) =>
      bucket && deliveries && linkKeys && { db, bucket, ...deliveries, linkKeys },
    consume: consumeWork(deliveryWork),
    consumeDead: consumeDeadLetters(deliveryWork),
    // A delivery may have waited for another attempt to end, because concurrent attempts are limited.
    afterwards: [sendDeliveries],
  }),
  row({
    suffix: "-imports",
    needs: ({ database: { db }, storage: bucket, imports }) =>
      bucket && imports && { db, bucket, ...imports, getRenderer },
    consume: consumeWork(importWork),
    consumeDead: consumeDeadLetters(importWork),
    afterwards: [sendImports],
  }),
  row({
    suffix: "-mail",
    needs: ({ database: { db, databases }, mail }) => mail && { db, directory: databases.directory, ...mail },
    consume: consumeWork(mailWork),
    consumeDead: consumeDeadLetters(mailWork),
    afterwards: [sendMail],
  }),
  row({
    suffix: "-sweeps",
    needs: (origin) => origin,
    consume: consumeSweeps,
    // This queue has no dead letters.
    consumeDead: async () => undefined,
    // Sweeps send their own messages.
    afterwards: [],
  }),
];

/** Hides the type of a queue's dependencies, so that one list has all queues. `start` returns null without them. */
function row<Needs>({ needs, consume: work, ...rest }: QueueRow<Needs>) {
  const start = (origin: Origin) => {
    const met = needs(origin);
    return met === null ? null : (batch: MessagePart) => work(batch, met);
  };
  return { ...rest, start };
}

/** Delay for messages that this origin is not configured to consume. */
const UNCONFIGURED_RETRY_SECONDS = 60;

/** Consumes a batch of any queue. Messages are grouped by the database that they name. */
export async function consume(
  { queue, messages: batch }: MessageBatch,
  capabilities: Capabilities,
): Promise<void> {
  for (const [home, messages] of Map.groupBy(batch, ({ body }) => homeOfMessage(body))) {
    await consumePart({ queue, messages }, capabilitiesAt(capabilities, home));
  }
}

/** Consumes messages of one database. Retries them if the database is not bound or the work is not configured. */
async function consumePart(batch: MessagePart, capabilities: Capabilities | null): Promise<void> {
  const origin = capabilities !== null && hasDatabase(capabilities) ? capabilities : null;
  const [, name = "", dead] = /^(.+?)(-dead)?$/.exec(batch.queue) ?? [];
  const found = QUEUES.find(({ suffix }) => name.endsWith(suffix));
  const start = dead === undefined ? origin && found?.start(origin) : found?.consumeDead;
  if (!origin || !found || !start) {
    for (const message of batch.messages) message.retry({ delaySeconds: UNCONFIGURED_RETRY_SECONDS });
    return;
  }
  await start(batch, origin.database.db);
  if (dead !== undefined) {
    const count = batch.messages.filter(({ attempts }) => attempts === 1).length;
    await noteDeadLetters(origin.database.db, count, clock.now());
  }
  await afterBatch(batch, async () => {
    for (const follow of found.afterwards) await follow(origin);
  });
}

function hasDatabase(capabilities: Capabilities): capabilities is Origin {
  return capabilities.database !== null;
}

function rendering({
  database: { db, queuedMessagesMax },
  storage: bucket,
  queue,
  videos,
}: Origin): RenderServices | null {
  const sendNext = async (jobId: string): Promise<void> => {
    if (queue !== null) await enqueueNext({ queue, videos, queuedMessagesMax }, db, jobId);
  };
  return bucket && { db, bucket, sendNext };
}

/** Delay before the next attempt at a dead letter of rendering. */
const DEAD_RETRY_MS = 60_000;

const RENDER_MESSAGES = {
  schema: renderMessageSchema,
  idsOf: ({ jobId }: RenderMessage) => ({ jobId }),
};

function consumeRenders(batch: MessagePart, services: RenderServices): Promise<void> {
  return consumeMessages(batch, {
    ...RENDER_MESSAGES,
    events: {
      unreadable: "render_message_unreadable",
      failed: "render_attempt_failed",
      exhausted: "render_exhausted",
    },
    attempt: (message, holder) =>
      "part" in message ? renderPart(services, message, holder) : resend(services.db, message.jobId),
    retryDelayMs: renderRetryMs,
  });
}

/** Marks a job as unsent, so that the sweep sends it within a minute. */
async function resend(db: D1Database, jobId: string): Promise<MessageResult> {
  await markJobUnsent.run(db, { jobId });
  return PENDING;
}

/**
 * Settles the jobs of dead letters. A part without attempts left fails and refunds its job; one with attempts left
 * waits for the sweep; a finished or active part changes nothing.
 */
function consumeDeadRenders(batch: MessagePart, db: D1Database): Promise<void> {
  return consumeMessages(batch, {
    ...RENDER_MESSAGES,
    events: {
      unreadable: "dead_letter_unreadable",
      failed: "dead_letter_unsettled",
      exhausted: "dead_letter_exhausted",
      pending: "dead_letter_pending",
    },
    attempt: (message) =>
      "part" in message ? settleDeadPart(db, message, clock.now()) : resend(db, message.jobId),
    retryDelayMs: () => DEAD_RETRY_MS,
  });
}

/** Maximum number of top-ups after a batch. Each takes some seconds at the provider. */
const TOP_UPS_PER_BATCH = 3;

/** Buys automatic top-ups for spent credits; after a failure the sweep tries again. */
async function topUp({ database: { db }, billing }: Origin): Promise<void> {
  if (billing === null) return;
  try {
    await attemptTopUps(db, billing, clock.now(), TOP_UPS_PER_BATCH);
  } catch (thrown) {
    log.failure({ event: "top_ups_failed" }, thrown);
  }
}

/** The end of a job writes deliveries, too. */
async function sendDeliveries({ database: { db }, deliveries }: Origin): Promise<void> {
  if (deliveries !== null) await enqueueDeliveries(deliveries.queue, db);
}

async function sendImports({ database: { db }, imports }: Origin): Promise<void> {
  if (imports !== null) await enqueueImports(imports.queue, db);
}

async function sendMail({ database: { db }, mail }: Origin): Promise<void> {
  if (mail !== null) await enqueueMail(mail.queue, db);
}
