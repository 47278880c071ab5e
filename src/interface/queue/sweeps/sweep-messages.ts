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

/** Requests the sweeps of one shard, or one task. `dueAtMs`: when they were due. */
const sweepMessageSchema = z.union([
  z.strictObject({ shard: z.string().refine(isShardName), dueAtMs }),
  z.strictObject({ task: z.enum(CROSS_DATABASE_TASKS), dueAtMs }),
]);

type SweepMessage = z.infer<typeof sweepMessageSchema>;

/** A message's shard or task, for the log. */
const nameOf = (message: SweepMessage): string => ("shard" in message ? message.shard : message.task);

/** Older messages are dropped, so that none pile up: the next minute's message does the same work. */
const WAITED_MS_MAX = 60_000;

/**
 * Never used: the queue drops messages that it cannot deliver (wrangler.toml), and the next minute's task sends new
 * ones.
 */
const RETRY_MS = 60_000;

/** Enqueues sweeps of these shards and these tasks, each for its own invocation. Throws if the queue refuses. */
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
 * Runs the sweeps that messages request. The next minute's message (`reconcile`: the next day's) makes up for a lost or
 * late one, and two at once are harmless: every sweep finds its work by state.
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
