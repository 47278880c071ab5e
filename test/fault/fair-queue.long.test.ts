import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "#api/limits.ts";
import { assignSlots, oldestWaitingJobs } from "#domains/jobs/fair-queue-store.ts";
import { lostJobs, openJobsSince, unsentJobs } from "#domains/jobs/sweep-store.ts";
import { execute, selectRows } from "../support/database.ts";
import { drawEachSizeOnce } from "../support/drawn-once.ts";
import { addWaitingJobs } from "../support/many-jobs.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { type Caller, callerWithLogo, type Intent, newJob } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { World } from "./world.ts";

/**
 * Measures fairness by counting messages instead of time, at a tenth of the deployed numbers. In a turn, each consumer
 * handles one message.
 */

beforeEach(freshStorage);
const START_MS = Date.parse("2035-01-01T00:00:00.000Z");
const MINUTE_MS = 60_000;

/**
 * Number of parallel consumers, each of which handles one message at a time. `QUEUED_MAX` is the maximum number of
 * messages in the queue.
 */
const CONSUMERS = 8;
const QUEUED_MAX = 2 * CONSUMERS;
const ONE = { selectedSizeIds: ["iab-320x50"] };
/** A job of two messages. */
const FIVE = {
  selectedSizeIds: ["iab-320x50", "iab-120x60", "iab-300x50", "gads-320x50", "gads-300x50"],
};

function quietWorld(): World {
  silenceLogs();
  drawEachSizeOnce();
  return new World(START_MS, { RENDER_MESSAGES_QUEUED: String(QUEUED_MAX) });
}

interface Workspace extends Caller, Intent {
  /** The first job of the workspace. */
  readonly jobId: string;
}

/** A workspace with `jobs` jobs: the first is sent, the others wait. */
async function workspaceWith(world: World, jobs: number, pack = ONE): Promise<Workspace> {
  const caller = await callerWithLogo(world, { credits: 50 });
  const jobId = await newJob(world, caller, pack, "first");
  if (jobs > 1) await addWaitingJobs(jobId, jobs - 1);
  return { ...caller, jobId };
}

const jobIdOf = ({ body }: World["messages"][number]): string => (body as { jobId: string }).jobId;

/** Each consumer handles the next message. Returns the jobs of these messages. */
async function turn(world: World): Promise<readonly string[]> {
  const taken = world.messages.slice(0, CONSUMERS).map(jobIdOf);
  for (const _ of taken) await world.deliverAt(0);
  return taken;
}

async function turns(world: World, count: number): Promise<readonly string[]> {
  const taken: string[] = [];
  for (let at = 0; at < count; at += 1) taken.push(...(await turn(world)));
  return taken;
}

/** How many of the jobs belong to the workspace. */
async function countOf({ workspaceId }: Caller, jobIds: readonly string[]): Promise<number> {
  const rows = await selectRows`SELECT 1 FROM json_each(${JSON.stringify(jobIds)}) AS given
    JOIN jobs ON jobs.job_id = given.value WHERE workspace_id = ${workspaceId}`;
  return rows.length;
}

const queued = (world: World): readonly string[] => world.messages.map(jobIdOf);

const statusesOf = async ({ workspaceId }: Caller): Promise<unknown> =>
  selectRows`SELECT status, count(*) AS count FROM jobs WHERE workspace_id = ${workspaceId}
    GROUP BY status ORDER BY status`;

describe("a workspace with ten thousand jobs", () => {
  it("keeps every consumer busy when alone, without exceeding its share of the queue", async () => {
    const world = quietWorld();
    await workspaceWith(world, 10_000);
    // The end of its first job sends the next ones.
    expect(await turn(world)).toHaveLength(1);
    for (let at = 0; at < 6; at += 1) {
      expect(world.messages.length).toBeLessThanOrEqual(QUEUED_MAX);
      expect(await turn(world)).toHaveLength(CONSUMERS);
    }
  });

  it("yields one message so that another workspace's job is drawn within three turns", async () => {
    const world = quietWorld();
    const large = await workspaceWith(world, 10_000);
    await turns(world, 2);
    const small = await workspaceWith(world, 1);
    expect(queued(world).indexOf(small.jobId)).toBeLessThanOrEqual(QUEUED_MAX);
    const taken = await turns(world, 3);
    expect(taken).toContain(small.jobId);
    expect(await countOf(large, taken)).toBe(3 * CONSUMERS - 1);
  });

  it("uses the consumers that small workspaces leave idle", async () => {
    const world = quietWorld();
    const large = await workspaceWith(world, 10_000);
    const smalls = [];
    for (let at = 0; at < 3; at += 1) smalls.push(await workspaceWith(world, 1));
    // Removes the messages of the small workspaces, as if consumers were still drawing their outputs.
    const held = smalls.map(({ jobId }) => jobId);
    world.messages = world.messages.filter((message) => !held.includes(jobIdOf(message)));
    await turns(world, 2);
    expect(await countOf(large, queued(world))).toBe(QUEUED_MAX - held.length);
  });

  it("shares evenly with later workspaces of equal size, and with small ones", async () => {
    const world = quietWorld();
    const first = await workspaceWith(world, 10_000);
    await turns(world, 2);
    const larges = [first];
    for (let at = 0; at < 3; at += 1) larges.push(await workspaceWith(world, 1_000));
    await turns(world, 4);
    for (const large of larges) {
      expect(await countOf(large, queued(world))).toBe(QUEUED_MAX / larges.length);
    }
    const taken = await turns(world, 6);
    for (const large of larges) {
      expect(await countOf(large, taken)).toBe((6 * CONSUMERS) / larges.length);
    }
    const small = await workspaceWith(world, 1);
    expect(await turns(world, 3)).toContain(small.jobId);
  });

  it("keeps the rows that each statement reads under a thousand", async () => {
    const world = quietWorld();
    const large = await workspaceWith(world, 10_000);
    const { nowMs } = world;
    const sharing = { nowMs, queuedMessagesMax: QUEUED_MAX };
    // An hour later, when all of these jobs are due for a sweep.
    const later = { nowMs: nowMs + 60 * MINUTE_MS, limit: 100 };
    const results = await env.DB.batch([
      assignSlots.bind(env.DB, { ...sharing, jobId: large.jobId, limit: 100 }),
      assignSlots.bind(env.DB, { ...sharing, jobId: large.jobId, limit: 100 }),
      oldestWaitingJobs.bind(env.DB, later),
      unsentJobs.bind(env.DB, { ...later, createdByMs: later.nowMs }),
      lostJobs.bind(env.DB, { ...later, soonByMs: later.nowMs, sentByMs: later.nowMs, messagesMax: 0 }),
      openJobsSince.bind(env.DB, { createdByMs: nowMs - 1, limit: 100 }),
    ]);
    expect(results.map(({ results: rows }) => rows.length)).toEqual([
      QUEUED_MAX - 1,
      0,
      1,
      QUEUED_MAX - 1,
      1,
      0,
    ]);
    for (const { meta } of results) expect(meta.rows_read).toBeLessThan(1_000);
  });
});

describe("jobs that wait for a slot", () => {
  it("are sent in order of creation by the message that ends another job", async () => {
    const world = quietWorld();
    const caller = await callerWithLogo(world, { credits: 200 });
    const made: string[] = [];
    for (let at = 0; at < 12; at += 1) made.push(await newJob(world, caller, FIVE, `job ${at}`));
    expect(new Set(queued(world)).size).toBe(QUEUED_MAX / 2);
    const taken = await turns(world, 4);
    expect([...new Set(taken)]).toEqual(made);
    expect(taken).toHaveLength(2 * made.length);
    expect(await statusesOf(caller)).toEqual([{ status: "succeeded", count: made.length }]);
  });

  it("get the slot of a canceled or failed job", async () => {
    const world = quietWorld();
    const caller = await callerWithLogo(world, { credits: 200 });
    const made: string[] = [];
    for (let at = 0; at < QUEUED_MAX + 2; at += 1) made.push(await newJob(world, caller, ONE, `job ${at}`));
    expect(queued(world)).toEqual(made.slice(0, QUEUED_MAX));
    const path = `/api/v1/jobs/${made[0]}/cancel`;
    expect((await world.request({ method: "POST", path, secret: caller.secret })).status).toBe(200);
    await execute`UPDATE jobs SET render_inputs = '{}' WHERE job_id = ${made[1]}`;
    await turn(world);
    expect(queued(world)).toContain(made.at(-1));
    await world.drain();
    world.wait(5 * MINUTE_MS);
    await world.drain();
    expect(await statusesOf(caller)).toEqual([
      { status: "canceled", count: 1 },
      { status: "failed", count: 1 },
      { status: "succeeded", count: QUEUED_MAX },
    ]);
  });

  it("are sent by the sweep if every message of the workspace was lost", async () => {
    const world = quietWorld();
    const caller = await callerWithLogo(world, { credits: 200 });
    const made: string[] = [];
    for (let at = 0; at < QUEUED_MAX + 4; at += 1) made.push(await newJob(world, caller, ONE, `job ${at}`));
    world.messages = [];
    await world.sweep();
    expect(queued(world)).toEqual([]);
    world.wait(LIMITS.queueSlotMs);
    await world.sweep();
    expect(queued(world)).toEqual(made.slice(0, QUEUED_MAX));
    await world.drain();
    expect(await statusesOf(caller)).toEqual([{ status: "succeeded", count: made.length }]);
  });

  it("are sent first in workspaces with the least work in the queue", async () => {
    const world = quietWorld();
    await workspaceWith(world, 100);
    const idle = await workspaceWith(world, 3);
    world.messages = [];
    await execute`UPDATE jobs SET status = 'canceled', finished_at = 1 WHERE job_id = ${idle.jobId}`;
    await world.sweep();
    expect(await countOf(idle, queued(world).slice(0, 2))).toBe(2);
  });
});

it("a job is sent beyond its workspace's share if no other job of the workspace has a slot", async () => {
  const world = new World(START_MS, { RENDER_MESSAGES_QUEUED: "1" });
  silenceLogs();
  drawEachSizeOnce();
  const caller = await callerWithLogo(world, { credits: 50 });
  const made = [await newJob(world, caller, FIVE, "one"), await newJob(world, caller, FIVE, "two")];
  expect(queued(world)).toEqual([made[0], made[0]]);
  await world.deliverAt(0);
  expect(queued(world)).toEqual([made[0]]);
  await world.deliverAt(0);
  expect(queued(world)).toEqual([made[1], made[1]]);
  await world.drain();
  expect(await statusesOf(caller)).toEqual([{ status: "succeeded", count: 2 }]);
});
