import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { Env } from "#platform/bindings/env.ts";
import { newId } from "#platform/ids.ts";
import worker from "../../src/worker.ts";

/** Result of a message: acknowledged, or retried after a delay. */
export type Consumed = "acknowledged" | { readonly delaySeconds: number | undefined };

export interface MessageOptions {
  readonly messageId?: string;
  readonly attempts?: number;
  readonly queue?: string;
  readonly settings?: Env;
}

/** Delivers a message to the worker's consumer, like the queue. */
export async function consumeMessage(
  body: unknown,
  { messageId = newId(), attempts = 1, queue = "", settings = env }: MessageOptions,
): Promise<Consumed> {
  const batch = createMessageBatch(queue, [{ id: messageId, timestamp: new Date(), attempts, body }]);
  // The queue's result lists retried messages without their delays.
  const [message] = batch.messages;
  const retry = message === undefined ? null : vi.spyOn(message, "retry");
  await worker.queue(batch, settings);
  const { retryMessages } = await getQueueResult(batch, createExecutionContext());
  return retryMessages.length === 0
    ? "acknowledged"
    : { delaySeconds: retry?.mock.calls[0]?.[0]?.delaySeconds };
}
