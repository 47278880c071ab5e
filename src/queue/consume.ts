import { type Capabilities, readCapabilities } from "../platform/capabilities.ts";
import type { Env } from "../platform/env.ts";
import { consumeDeadDeliveries, consumeDeliveries } from "./delivery-consumer.ts";
import { enqueueDeliveries } from "./delivery-messages.ts";
import { consumeDeadRenders, consumeRenders } from "./render-consumer.ts";

/** Seconds until messages come again that this origin is not configured to take. */
const UNCONFIGURED_RETRY_SECONDS = 60;

/** Hands a batch to the consumer of its queue; queues are told apart by the ends of their names (wrangler.toml). */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  const { database, storage, deliveries, downloadSigning }: Capabilities = readCapabilities(env);
  if (database === null) return retryLater(batch);
  const { db } = database;
  if (batch.queue.endsWith("-render-dead")) {
    await consumeDeadRenders(batch, db);
    if (deliveries !== null) await enqueueDeliveries(deliveries.queue, db);
    return;
  }
  if (batch.queue.endsWith("-render") && storage !== null) {
    await consumeRenders(batch, { db, bucket: storage });
    // What the end of a job has written goes out at once.
    if (deliveries !== null) await enqueueDeliveries(deliveries.queue, db);
    return;
  }
  if (batch.queue.endsWith("-deliveries-dead")) {
    await consumeDeadDeliveries(batch, db);
    if (deliveries !== null) await enqueueDeliveries(deliveries.queue, db);
    return;
  }
  if (
    batch.queue.endsWith("-deliveries") &&
    storage !== null &&
    deliveries !== null &&
    downloadSigning !== null
  ) {
    const { encryption, addressRules } = deliveries;
    await consumeDeliveries(batch, {
      db,
      bucket: storage,
      encryption,
      addressRules,
      linkKeys: downloadSigning,
    });
    // An attempt has ended, and another may begin in its place.
    return enqueueDeliveries(deliveries.queue, db);
  }
  retryLater(batch);
}

const retryLater = (batch: MessageBatch): void =>
  batch.retryAll({ delaySeconds: UNCONFIGURED_RETRY_SECONDS });
