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
 * Guarantee: a delivery that is broken off at any await, and made again as the queue does, ends its job as an
 * undisturbed one: drawn with the same bytes, or failed and refunded once.
 */

beforeAll(freshStorage);

interface QueuedJob extends Caller {
  readonly jobId: string;
  readonly message: World["messages"][number];
}

/** A queued job with its one message taken out of the queue. */
async function queuedJob(world: World, changes: Record<string, unknown> = {}): Promise<QueuedJob> {
  const job = await callerWithJob(world, { credits: 5 }, changes);
  const message = world.messages.shift();
  if (message === undefined) throw new Error("the job sent no message");
  return { ...job, message };
}

/** Delivers the job's message to a queue's consumer until it ends so. */
const delivery = (
  arrange: Scenario<QueuedJob>["arrange"],
  queue: string,
  end: string,
): Scenario<QueuedJob> => ({
  arrange,
  act: (world, { message }) => world.deliver(message, queue),
  settle: async (world, job) => {
    if (isOnShards()) await untilJobEnds(world, job);
    expect(await readJobStatus(world, job)).toBe(end);
    // Once more, late: nothing may come of it.
    await world.deliver(job.message);
    expect(await readJobStatus(world, job)).toBe(end);
  },
});

const RENDER = "creative-packs-render";

it("drawing a pack", async ({ task }) => {
  reportStress(task, await crashAtEveryStep(delivery((world) => queuedJob(world), RENDER, "succeeded")));
});

it("drawing the last part of a pack", async ({ task }) => {
  const finding = await crashAtEveryStep(
    delivery(
      async (world) => {
        const job = await queuedJob(world, TWO_PARTS);
        await world.deliver(job.message);
        const [last] = world.messages.splice(0);
        if (last === undefined) throw new Error("the job has one part");
        return { ...job, message: last };
      },
      RENDER,
      "succeeded",
    ),
  );
  reportStress(task, finding);
});

it("refusing a pack that cannot be drawn", async ({ task }) => {
  const finding = await crashAtEveryStep(
    delivery(
      async (world) => {
        const job = await queuedJob(world);
        await makeUnfit(job.jobId);
        return job;
      },
      RENDER,
      "failed",
    ),
  );
  reportStress(task, finding);
});

it("refusing a pack whose source is gone", async ({ task }) => {
  const finding = await crashAtEveryStep(
    delivery(
      async (world) => {
        const job = await queuedJob(world);
        const { objects } = await env.BUCKET.list({ prefix: `workspaces/${job.workspaceId}/` });
        await env.BUCKET.delete(objects.map(({ key }) => key));
        return job;
      },
      RENDER,
      "failed",
    ),
  );
  reportStress(task, finding);
});

it("ending the job of a dead letter", async ({ task }) => {
  const finding = await crashAtEveryStep(
    delivery(
      async (world) => {
        const job = await queuedJob(world);
        await exhaust(job.jobId, 0);
        return job;
      },
      "creative-packs-render-dead",
      "failed",
    ),
  );
  reportStress(task, finding);
});
