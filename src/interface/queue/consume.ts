import { attemptTopUps } from "#domains/billing/purchases/attempt-top-ups.ts";
import { noteDeadLetters } from "#domains/monitoring/measure.ts";
import { type BillingService, type Capabilities, readCapabilities } from "#platform/bindings/capabilities.ts";
import { capabilitiesAt } from "#platform/bindings/capabilities-at.ts";
import type { Env } from "#platform/bindings/env.ts";
import { clock } from "#platform/clock.ts";
import { log } from "#platform/log/log.ts";
import { getRenderer } from "#platform/render-engine.ts";
import { consumeDeadDeliveries, consumeDeliveries } from "./delivery-consumer.ts";
import { enqueueDeliveries } from "./delivery-messages.ts";
import { consumeDeadImports, consumeImports } from "./import-consumer.ts";
import { enqueueImports } from "./import-messages.ts";
import { consumeDeadMail, consumeMail } from "./mail-consumer.ts";
import { enqueueMail } from "./mail-messages.ts";
import { afterBatch, homeOfMessage, type MessagePart } from "./messages.ts";
import { consumeDeadRenders, consumeRenders } from "./render-consumer.ts";
import { consumeSweeps } from "./sweeps/sweep-messages.ts";

/** Seconds until messages come again that this origin is not configured to take. */
const UNCONFIGURED_RETRY_SECONDS = 60;

/**
 * Hands a batch to the consumer of its queue, each message with the database that it names; queues are told apart by the
 * ends of their names (wrangler.toml).
 */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  const capabilities = readCapabilities(env);
  for (const [home, messages] of Map.groupBy(batch.messages, ({ body }) => homeOfMessage(body))) {
    await consumePart({ queue: batch.queue, messages }, capabilitiesAt(capabilities, home));
  }
}

/** Works on messages; those whose database is not bound, or whose work is not configured, come again. */
async function consumePart(batch: MessagePart, capabilities: Capabilities | null): Promise<void> {
  const database = capabilities?.database ?? null;
  const consumed =
    capabilities === null || database === null ? null : consumerOf(batch, database, capabilities);
  if (capabilities === null || database === null || consumed === null) {
    for (const message of batch.messages) message.retry({ delaySeconds: UNCONFIGURED_RETRY_SECONDS });
    return;
  }
  const { deliveries, imports, mail } = capabilities;
  await consumed();
  if (batch.queue.endsWith("-dead")) {
    const count = batch.messages.filter(({ attempts }) => attempts === 1).length;
    await noteDeadLetters(database.db, count, clock.now());
  }
  // Sweeps send by themselves what they find.
  if (isOfSweeps(batch)) return;
  // What jobs have spent may be bought again; the sweep does it where this fails.
  if (capabilities.billing !== null && batch.queue.endsWith("-render")) {
    await buyAgain(database.db, capabilities.billing);
  }
  // What the end of a job has written goes out at once; where an attempt at a delivery has ended, another may begin.
  await afterBatch(batch, async () => {
    if (imports !== null && isOfImports(batch)) await enqueueImports(imports.queue, database.db);
    else if (mail !== null && isOfMail(batch)) await enqueueMail(mail.queue, database.db);
    else if (deliveries !== null) await enqueueDeliveries(deliveries.queue, database.db);
  });
}

/** Each takes the provider some seconds. */
const TOP_UPS_PER_BATCH = 3;

async function buyAgain(db: D1Database, service: BillingService): Promise<void> {
  try {
    await attemptTopUps(db, service, clock.now(), TOP_UPS_PER_BATCH);
  } catch (thrown) {
    log.failure({ event: "top_ups_failed" }, thrown);
  }
}

const isOfImports = ({ queue }: MessagePart): boolean => /-imports(?:-dead)?$/.test(queue);
const isOfSweeps = ({ queue }: MessagePart): boolean => queue.endsWith("-sweeps");
const isOfMail = ({ queue }: MessagePart): boolean => /-mail(?:-dead)?$/.test(queue);

/** Null for a queue whose work this origin is not configured for. */
function consumerOf(
  batch: MessagePart,
  { db, queuedMessagesMax, databases: { directory } }: NonNullable<Capabilities["database"]>,
  capabilities: Capabilities,
): (() => Promise<void>) | null {
  const { storage: bucket, queue, deliveries, imports, mail, downloadSigning: linkKeys } = capabilities;
  if (isOfSweeps(batch)) return () => consumeSweeps(batch, capabilities);
  if (batch.queue.endsWith("-render-dead")) return () => consumeDeadRenders(batch, db);
  if (batch.queue.endsWith("-deliveries-dead")) return () => consumeDeadDeliveries(batch, db);
  if (batch.queue.endsWith("-imports-dead")) return () => consumeDeadImports(batch, db);
  if (batch.queue.endsWith("-mail-dead")) return () => consumeDeadMail(batch, db);
  if (batch.queue.endsWith("-mail"))
    return mail === null ? null : () => consumeMail(batch, { db, directory, ...mail });
  if (bucket === null) return null;
  if (batch.queue.endsWith("-render")) {
    const renderQueue = queue && { queue, queuedMessagesMax };
    return () => consumeRenders(batch, { db, bucket, queue: renderQueue });
  }
  if (batch.queue.endsWith("-imports")) {
    return imports === null ? null : () => consumeImports(batch, { db, bucket, ...imports, getRenderer });
  }
  if (!batch.queue.endsWith("-deliveries") || deliveries === null || linkKeys === null) return null;
  return () => consumeDeliveries(batch, { db, bucket, ...deliveries, linkKeys });
}
