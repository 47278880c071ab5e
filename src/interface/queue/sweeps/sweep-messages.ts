import { z } from "zod";
import type { Capabilities } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { isShardName, type ShardName } from "#platform/databases/shard-name.ts";
import { sendMessages } from "#platform/leased-work/dispatch.ts";
import { DONE } from "#platform/leased-work/message-result.ts";
import { log } from "#platform/log/log.ts";
import { consumeMessages, type MessagePart } from "../messages.ts";
import { CROSS_DATABASE_TASKS, type CrossDatabaseTask, sweepsOfTask } from "./cross-database-tasks.ts";
import { logSwept, runAll } from "./sweep.ts";
import { sweepDatabase } from "./sweep-database.ts";

const dueAtMs = z.int().min(0);

/** Asks for the sweeps of one shard, or for a task of the origin, due at a time. */
const sweepMessageSchema = z.union([
  z.strictObject({ shard: z.string().refine(isShardName), dueAtMs }),
  z.strictObject({ task: z.enum(CROSS_DATABASE_TASKS), dueAtMs }),
]);

type SweepMessage = z.infer<typeof sweepMessageSchema>;

/** What a message asks for, as the log names it. */
const nameOf = (message: SweepMessage): string => ("shard" in message ? message.shard : message.task);

/** A message that waited for longer is dropped: the next minute's does the same work, so none ever pile up. */
const WAITED_MS_MAX = 60_000;

/** Never used: the queue drops what it cannot hand over (wrangler.toml), and the next minute sends anew. */
const RETRY_MS = 60_000;

/** Asks for the sweeps of these shards and for these tasks, each in an invocation of its own. Throws when the queue refuses. */
export const sendSweeps = (
  queue: Queue,
  shards: readonly ShardName[],
  tasks: readonly CrossDatabaseTask[],
  nowMs: number,
): Promise<void> =>
  sendMessages(queue, [
    ...shards.map((shard) => ({ shard, dueAtMs: nowMs })),
    ...tasks.map((task) => ({ task, dueAtMs: nowMs })),
  ]);

/**
 * Does what the messages ask for, by capabilities for the shard that they name. One that is lost or late is made up for a
 * minute later (`reconcile`: a day), and two at once do no harm: every sweep finds its work by state.
 */
export const consumeSweeps = (batch: MessagePart, capabilities: Capabilities): Promise<void> =>
  consumeMessages(batch, {
    schema: sweepMessageSchema,
    events: { unreadable: "sweep_message_unreadable", failed: "sweeps_failed", exhausted: "sweeps_failed" },
    idsOf: (message) => ({ code: nameOf(message) }),
    attempt: async (message) => {
      const startedAtMs = clock.now();
      if (startedAtMs - message.dueAtMs > WAITED_MS_MAX) {
        log.line({ event: "sweeps_late", code: nameOf(message) });
      } else if ("shard" in message) {
        await sweepDatabase(capabilities, startedAtMs);
      } else {
        const counts = await runAll(sweepsOfTask(message.task, capabilities, startedAtMs));
        logSwept(message.task, counts, startedAtMs);
      }
      return DONE;
    },
    retryDelayMs: () => RETRY_MS,
  });
