import { beforeEach, expect, it } from "vitest";
import { reportStress } from "../stress/report.ts";
import { execute, selectRows, selectValue } from "../support/database.ts";
import { exhaust } from "../support/jobs.ts";
import {
  type Caller,
  callerWithLogo,
  type Intent,
  newIntent,
  newJob,
  putBytes,
  readyLogo,
  TWO_PARTS,
} from "./client.ts";
import { crashAtEveryStep } from "./crash-every-step.ts";
import { strayObjects } from "./dump.ts";
import { freshStorage } from "./fresh-storage.ts";
import { LOGO } from "./logo.ts";
import type { World } from "./world.ts";

/** A sweep that is interrupted at any await does no harm, and the next sweep completes its work. */

// Sweeps handle every workspace, so each test starts with none.
beforeEach(freshStorage);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Runs the sweep and the queues each minute for four minutes. After that, nothing is left to do. */
async function someMinutes(world: World): Promise<void> {
  for (let minute = 0; minute < 4; minute += 1) {
    world.wait(MINUTE_MS);
    await world.sweep();
    await world.drain();
  }
}

const ONE = { selectedSizeIds: ["iab-320x50"] };

/** Draws a job and stores its manifest, then dies before the job ends. */
async function drawWithoutEnd(world: World, caller: Caller & Intent): Promise<void> {
  await newJob(world, caller, ONE, "measured");
  world.restart();
  await world.deliverAt(0);
  // The step of the batch that ends a job.
  const lastStep = world.calls.lastIndexOf("D1 batch");
  await newJob(world, caller, ONE, "unended");
  const [message] = world.messages.splice(0);
  if (message === undefined) throw new Error("the job sent no message");
  world.crash({ step: lastStep, kind: "kill-before" });
  await world.deliver(message);
  expect([world.isDead, world.calls.at(-2)]).toEqual([true, "R2 put"]);
  world.restart();
}

/** A failed job: one part was drawn, and the message of the other became a dead letter. */
async function failHalfWay(world: World, caller: Caller & Intent): Promise<void> {
  const jobId = await newJob(world, caller, TWO_PARTS, "failed");
  const [first, second] = world.messages.splice(0);
  if (first === undefined || second === undefined) throw new Error("the job has one part");
  await exhaust(jobId, 1);
  await world.deliver(first);
  await world.deliver(second, "creative-packs-render-dead");
}

/** A workspace with one row of each kind that the sweep handles. */
async function expiredWorkspace(world: World): Promise<Caller & Intent> {
  const old = await callerWithLogo(world, { credits: 20 });
  await newJob(world, old, ONE, "expiring");
  await world.drain();
  await failHalfWay(world, old);
  await newJob(world, old, ONE, "stuck");
  world.messages = [];
  await putBytes(world, old, await newIntent(world, old, LOGO.byteLength, "abandoned"));
  const path = `/api/v1/assets/${old.assetId}`;
  await world.request({ method: "DELETE", path, secret: old.secret });
  world.wait(31 * DAY_MS);

  const young = { ...old, ...(await readyLogo(world, old, "young-")) };
  await drawWithoutEnd(world, young);
  await newJob(world, young, ONE, "unsent");
  world.messages = [];
  await execute`UPDATE jobs SET dispatched_at = NULL WHERE job_id = (SELECT resource_id
    FROM idempotency_keys WHERE idempotency_key = 'unsent')`;
  world.wait(20 * MINUTE_MS);
  return young;
}

it("a sweep of one expired row of each kind survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: expiredWorkspace,
    act: async (world, { workspaceId }) => {
      await world.sweepHome(workspaceId);
      return true;
    },
    settle: async (world, { workspaceId }) => {
      await someMinutes(world);
      const results = await selectRows`SELECT status, COUNT(*) AS count FROM jobs
        WHERE workspace_id = ${workspaceId} GROUP BY status ORDER BY status`;
      expect(results).toEqual([
        { status: "failed", count: 2 },
        { status: "succeeded", count: 4 },
      ]);
      // Only the files and the logo of the younger jobs remain, and rows name all of these objects.
      expect(await strayObjects(workspaceId)).toEqual([]);
    },
  });
  reportStress(task, finding);
});

interface Trial extends Caller, Intent {}

/** An expired trial with credits and an open job. */
async function endedTrial(world: World): Promise<Trial> {
  const { body } = await world.request({
    method: "POST",
    path: "/api/v1/agent/trial-key",
    body: { clientMarker: crypto.randomUUID() },
  });
  const caller: Caller = { workspaceId: body.data.workspace.workspaceId, secret: body.data.secret };
  const trial = { ...caller, ...(await readyLogo(world, caller)) };
  await newJob(world, trial);
  world.messages = [];
  world.wait(2 * HOUR_MS);
  return trial;
}

it("the expiry of a trial with credits and an open job survives a crash at any step", async ({ task }) => {
  const finding = await crashAtEveryStep({
    arrange: endedTrial,
    act: async (world, { workspaceId }) => {
      await world.sweepHome(workspaceId);
      return true;
    },
    settle: async (world, { workspaceId }) => {
      // The next sweep completes the expiry.
      await world.sweep();
      // The job is never drawn; its refund expires as well.
      world.messages = [];
      world.wait(2 * DAY_MS);
      for (let minute = 0; minute < 3; minute += 1) await world.sweep();
      world.messages = [];
      const left = await selectValue`SELECT credits FROM workspaces
        WHERE workspace_id = ${workspaceId}`;
      expect(left).toBe(0);
    },
  });
  reportStress(task, finding);
});
