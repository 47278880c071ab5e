import { beforeEach, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { reportStress } from "../stress/report.ts";
import { selectRows } from "../support/database.ts";
import { type Caller, callerWithLogo, newJob, postJob } from "./client.ts";
import { crashAtEveryStep } from "./crash-every-step.ts";
import { freshStorage } from "./fresh-storage.ts";
import type { World } from "./world.ts";

/** Every job that waits for a queue slot is drawn once, no matter at which step the process that sends it dies. */

// Sweeps handle every workspace, so each test starts with none.
beforeEach(freshStorage);

const MINUTE_MS = 60_000;
/** At most one message in the queue. */
const settings = { RENDER_MESSAGES_QUEUED: "1" };
const ONE = { selectedSizeIds: ["iab-320x50"] };

interface Waiting extends Caller {
  readonly message: World["messages"][number];
}

/** A workspace with one sent job, and two jobs that wait for it to end. */
async function waitingJobs(world: World): Promise<Waiting> {
  const caller = await callerWithLogo(world, { credits: 5 });
  for (const name of ["first", "second", "third"]) await newJob(world, caller, ONE, name);
  const [message, ...others] = world.messages.splice(0);
  if (message === undefined || others.length > 0) throw new Error("one message was to be sent");
  return { ...caller, message };
}

/** Runs the sweep and the queue until all three jobs are drawn. */
async function settle(world: World, { workspaceId }: Caller): Promise<void> {
  await world.drain();
  for (let minute = 0; minute < 3; minute += 1) {
    world.wait(MINUTE_MS);
    await world.sweep();
    await world.drain();
  }
  const drawn =
    await selectRows`SELECT status, is_waiting AS isWaiting FROM jobs WHERE workspace_id = ${workspaceId}`;
  expect(drawn).toEqual(Array(3).fill({ status: "succeeded", isWaiting: 0 }));
}

it("the end of a job, which sends the next one, survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    settings,
    arrange: waitingJobs,
    act: (world, { message }) => world.deliver(message),
    settle,
  });
  reportStress(task, finding);
});

it("the sweep, which sends the next job after a lost message, survives a crash at any step", async ({
  task,
}) => {
  const finding = await crashAtEveryStep({
    settings,
    arrange: async (world) => {
      const waiting = await waitingJobs(world);
      world.wait(LIMITS.queueSlotMs);
      return waiting;
    },
    act: async (world, { workspaceId }) => {
      await world.sweepHome(workspaceId);
      return true;
    },
    settle: async (world, waiting) => {
      // Delivers the message, which was late, not lost.
      await world.deliver(waiting.message);
      await settle(world, waiting);
    },
  });
  reportStress(task, finding);
});

it("the creation of a waiting job survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    settings,
    arrange: async (world) => {
      const caller = await callerWithLogo(world, { credits: 5 });
      for (const name of ["first", "second"]) await newJob(world, caller, ONE, name);
      return caller;
    },
    act: async (world, caller) => [200, 202].includes((await postJob(world, caller, ONE, "third")).status),
    settle,
  });
  reportStress(task, finding);
});
