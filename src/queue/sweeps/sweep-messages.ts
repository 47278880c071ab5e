import { z } from "zod";
import type { Capabilities } from "../../bindings/capabilities.ts";
import { isShardName, type ShardName } from "../../databases/shard-name.ts";
import { clock } from "../../platform/clock.ts";
import { log } from "../../platform/log.ts";
import { consumeMessages, DONE, type MessagePart, sendMessages } from "../messages.ts";
import { sweepDatabase } from "./sweep-database.ts";

/** Asks for the sweeps of one shard, due at a time. */
const sweepMessageSchema = z.strictObject({
  shard: z.string().refine(isShardName),
  dueAtMs: z.int().min(0),
});

/** A message that waited for longer is dropped: the next minute's does the same work, so none ever pile up. */
const WAITED_MS_MAX = 60_000;

/** Never used: the queue drops what it cannot hand over (wrangler.toml), and the next minute sends anew. */
const RETRY_MS = 60_000;

/** Asks for the sweeps of these shards, each in an invocation of its own. Throws when the queue refuses. */
export const sendSweeps = (queue: Queue, shards: Iterable<ShardName>, nowMs: number): Promise<void> =>
  sendMessages(
    queue,
    [...shards].map((shard) => ({ shard, dueAtMs: nowMs })),
  );

/**
 * Sweeps the shards that the messages name, by capabilities for it. One that is lost or late is made up for a minute later,
 * and two at once do no harm: every sweep finds its work by state.
 */
export const consumeSweeps = (batch: MessagePart, capabilities: Capabilities): Promise<void> =>
  consumeMessages(batch, {
    schema: sweepMessageSchema,
    events: { unreadable: "sweep_message_unreadable", failed: "sweeps_failed", exhausted: "sweeps_failed" },
    idsOf: ({ shard }) => ({ code: shard }),
    attempt: async ({ shard, dueAtMs }) => {
      const startedAtMs = clock.now();
      if (startedAtMs - dueAtMs > WAITED_MS_MAX) {
        log.line({ event: "sweeps_late", code: shard });
        return DONE;
      }
      await sweepDatabase(capabilities, startedAtMs);
      return DONE;
    },
    retryDelayMs: () => RETRY_MS,
  });
