import { expect } from "vitest";
import type { StressFinding } from "../../scripts/test/stress/result.ts";
import type { WorkspaceRequest } from "../support/workspace.ts";
import { type Caller, callerWithLogo, type Intent, postJob } from "./client.ts";
import { crashAtEveryStep } from "./crash-every-step.ts";
import type { World } from "./world.ts";

const MINUTE_MS = 60_000;

/** Runs the sweep and the queue until the job has ended, and checks that each effect exists once. */
export async function untilDrawn(world: World, caller: Caller & Intent): Promise<void> {
  world.wait(MINUTE_MS);
  await world.sweep();
  await world.drain();
  const again = await postJob(world, caller);
  expect([again.status, again.body.data.status]).toEqual([200, "succeeded"]);
}

/** Crashes at each step of creating a job with this means of payment. */
export const crashesOfCreation = (access: WorkspaceRequest): Promise<StressFinding> =>
  crashAtEveryStep({
    arrange: (world) => callerWithLogo(world, access),
    act: async (world, caller) => [200, 202].includes((await postJob(world, caller)).status),
    settle: untilDrawn,
  });
