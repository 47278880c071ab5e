import { type Capabilities, readCapabilities } from "../platform/capabilities.ts";
import type { Env } from "../platform/env.ts";
import { consumeDeadLetters } from "./dead-letters.ts";
import { consumeRenderMessages } from "./render-consumer.ts";

/** Seconds until messages come again that this origin is not configured to take. */
const UNCONFIGURED_RETRY_SECONDS = 60;

/** Hands a batch to the consumer of its queue; queues are told apart by the ends of their names (wrangler.toml). */
export async function consume(batch: MessageBatch, env: Env): Promise<void> {
  const { database, storage }: Capabilities = readCapabilities(env);
  if (batch.queue.endsWith("-render-dead") && database !== null) {
    return consumeDeadLetters(batch, database.db);
  }
  if (batch.queue.endsWith("-render") && database !== null && storage !== null) {
    return consumeRenderMessages(batch, { db: database.db, bucket: storage });
  }
  batch.retryAll({ delaySeconds: UNCONFIGURED_RETRY_SECONDS });
}
