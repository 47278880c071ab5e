import { beforeAll, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { execute } from "../support/database.ts";
import type { WorkspaceRequest } from "../support/workspace.ts";
import { type Caller, callerWithJob, callerWithLogo, postJob } from "./client.ts";
import { crashAtEveryStep } from "./crash-every-step.ts";
import { freshStorage } from "./fresh-storage.ts";
import { crashesOfCreation, untilDrawn } from "./job-crashes.ts";
import type { World } from "./world.ts";

/** Creation or cancellation of a job, interrupted at any await and repeated, has its effect once. */

beforeAll(freshStorage);

const SOURCES: Readonly<Record<string, WorkspaceRequest>> = {
  credits: { credits: 3 },
  "a subscription whose new period is due": { quota: 2, credits: 1 },
  "unlimited access": { unlimited: true },
};

it.for(Object.entries(SOURCES).filter(([name]) => name !== "credits"))(
  "the creation of a job paid by %s survives a crash at any step",
  async ([, access], { task }) => {
    reportStress(task, await crashesOfCreation(access));
  },
);

it("the creation of a job right after another with the same assets survives a crash at any step", async ({
  task,
}) => {
  const finding = await crashAtEveryStep({
    arrange: (world) => callerWithLogo(world, { credits: 5 }),
    act: async (world, caller) => {
      for (const key of ["before", "job"]) {
        const { status } = await postJob(world, caller, {}, key);
        if (status !== 200 && status !== 202) return false;
      }
      return true;
    },
    settle: untilDrawn,
  });
  reportStress(task, finding);
});

it("jobs up to a key's budget survive a crash at any step of their creation", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: async (world) => {
      const caller = await callerWithLogo(world, { credits: 9 });
      await execute`UPDATE api_keys SET daily_budget = 4 WHERE workspace_id = ${caller.workspaceId}`;
      return caller;
    },
    act: async (world, caller) => {
      for (const key of ["before", "job"]) {
        const { status } = await postJob(world, caller, {}, key);
        if (status !== 200 && status !== 202) return false;
      }
      return (await postJob(world, caller, {}, "beyond")).status === 402;
    },
    settle: untilDrawn,
  });
  reportStress(task, finding);
});

it("the refusal of a job without enough credits survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: (world) => callerWithLogo(world, { credits: 1 }),
    act: async (world, caller) => (await postJob(world, caller)).status === 402,
    settle: async () => undefined,
  });
  reportStress(task, finding);
});

const cancel = (world: World, { secret, jobId }: Caller & { jobId: string }) =>
  world.request({ method: "POST", path: `/api/v1/jobs/${jobId}/cancel`, secret });

it.for(Object.entries(SOURCES))(
  "the cancellation of a job paid by %s survives a crash at any step",
  async ([, access], { task }) => {
    const finding = await crashAtEveryStep({
      arrange: (world) => callerWithJob(world, access),
      act: async (world, caller) => (await cancel(world, caller)).status === 200,
      settle: async (world, caller) => {
        await world.drain();
        expect((await cancel(world, caller)).body.data.status).toBe("canceled");
      },
    });
    reportStress(task, finding);
  },
);
