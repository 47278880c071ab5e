import type { Capabilities } from "#platform/bindings/capabilities.ts";
import { dueTasks, sweepsOfTask } from "./cross-database-tasks.ts";
import { runAll, type Sweeps } from "./sweep.ts";
import { sweepDatabase } from "./sweep-database.ts";
import { sendSweeps } from "./sweep-messages.ts";

/** With shards, enqueues a message for each shard and task; without, returns the tasks' sweeps. */
function sweepsBefore(capabilities: Capabilities, nowMs: number): Sweeps {
  const { database, sweeps: queue } = capabilities;
  const tasks = dueTasks(capabilities, nowMs);
  const shards = [...(database?.databases.shards.keys() ?? [])];
  if (shards.length === 0) {
    return Object.fromEntries(
      tasks.flatMap((task) => Object.entries(sweepsOfTask(task, capabilities, nowMs))),
    );
  }
  return {
    sweep_shards: async () => {
      if (queue === null) throw new Error("shards without SWEEP_QUEUE");
      await sendSweeps(queue, shards, tasks, nowMs);
      // Each message's run logs its own line.
      return 0;
    },
  };
}

/**
 * The scheduled task of every minute: enqueues the sweeps of each shard and the tasks of the origin, and sweeps `DB`.
 * `capabilities` are the origin's. Never throws.
 */
export async function runSweeps(capabilities: Capabilities, nowMs: number): Promise<void> {
  if (capabilities.database === null) return;
  const counts = await runAll(sweepsBefore(capabilities, nowMs));
  await sweepDatabase(capabilities, nowMs, counts);
}
