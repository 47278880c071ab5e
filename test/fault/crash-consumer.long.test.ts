import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { isOnShards } from "../support/homes.ts";
import { exhaust } from "../support/jobs.ts";
import { makeUnfit } from "../support/unfit-jobs.ts";
import { type Caller, callerWithJob, readJobStatus, TWO_PARTS, untilJobEnds } from "./client.ts";
import { crashAtEveryStep, type Scenario } from "./crash-every-step.ts";
import { freshStorage } from "./fresh-storage.ts";
import type { World } from "./world.ts";

/**
 * A render message that is interrupted at any await and redelivered ends its job like an undisturbed message: drawn
 * with the same bytes, or failed and refunded once.
 */

beforeAll(freshStorage);

interface QueuedJob extends Caller {
  readonly jobId: string;
  readonly message: World["messages"][number];
}

/** A queued job, with its message taken out of the queue. */
async function queuedJob(world: World, changes: Record<string, unknown> = {}): Promise<QueuedJob> {
  const job = await callerWithJob(world, { credits: 5 }, changes);
  const message = world.messages.shift();
  if (message === undefined) throw new Error("the job sent no message");
  return { ...job, message };
}

interface Delivery {
  readonly arrange: Scenario<QueuedJob>["arrange"];
  readonly queue?: string;
  readonly end: "succeeded" | "failed";
}

/** Deliveries, each with the status in which its job ends. */
const DELIVERIES: Readonly<Record<string, Delivery>> = {
  "drawing a pack": { arrange: (world) => queuedJob(world), end: "succeeded" },
  "drawing the last part of a pack": {
    arrange: async (world) => {
      const job = await queuedJob(world, TWO_PARTS);
      await world.deliver(job.message);
      const [last] = world.messages.splice(0);
      if (last === undefined) throw new Error("the job has one part");
      return { ...job, message: last };
    },
    end: "succeeded",
  },
  "refusing a pack that cannot be drawn": {
    arrange: async (world) => {
      const job = await queuedJob(world);
      await makeUnfit(job.jobId);
      return job;
    },
    end: "failed",
  },
  "refusing a pack whose source is gone": {
    arrange: async (world) => {
      const job = await queuedJob(world);
      const { objects } = await env.BUCKET.list({ prefix: `workspaces/${job.workspaceId}/` });
      await env.BUCKET.delete(objects.map(({ key }) => key));
      return job;
    },
    end: "failed",
  },
  "ending the job of a dead letter": {
    arrange: async (world) => {
      const job = await queuedJob(world);
      await exhaust(job.jobId, 0);
      return job;
    },
    queue: "creative-packs-render-dead",
    end: "failed",
  },
};

it.for(Object.entries(DELIVERIES))("%s survives a crash", async ([, { arrange, queue, end }], { task }) => {
  const finding = await crashAtEveryStep<QueuedJob>({
    arrange,
    act: (world, { message }) => world.deliver(message, queue),
    settle: async (world, job) => {
      if (isOnShards()) await untilJobEnds(world, job);
      expect(await readJobStatus(world, job)).toBe(end);
      // A late duplicate must have no effect.
      await world.deliver(job.message);
      expect(await readJobStatus(world, job)).toBe(end);
    },
  });
  reportStress(task, finding);
});
