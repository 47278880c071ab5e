import { beforeAll, expect, it } from "vitest";
import { silenceLogs } from "../support/read-logs.ts";
import { type Caller, callerWithLogo, type Intent, newJob, postJob } from "./client.ts";
import { freshStorage } from "./fresh-storage.ts";
import { Pause } from "./gate.ts";
import { World } from "./world.ts";

beforeAll(freshStorage);
const START_MS = Date.parse("2036-01-01T00:00:00.000Z");

/**
 * Calls of `POST /jobs` before its call to the queue: reading the key with the order's preconditions, counting the
 * window, one write.
 */
const SEND_STEP = 3;

interface Sending {
  readonly world: World;
  readonly caller: Caller & Intent;
  readonly first: Promise<unknown>;
  readonly pause: Pause;
}

/** A process that has accepted a job, and whose call to the queue is slow. */
async function whileSending(): Promise<Sending> {
  silenceLogs();
  const world = new World(START_MS);
  const caller = await callerWithLogo(world, { credits: 50 });
  const pause = new Pause(SEND_STEP);
  world.crash(pause);
  const first = postJob(world, caller, {}, "first");
  await pause.reached;
  expect(world.calls[SEND_STEP]).toBe("queue sendBatch");
  return { world, caller, first, pause };
}

const jobIdsOf = ({ messages }: World) =>
  messages.map(({ body }) => (body as { jobId: string }).jobId).toSorted();

it("if jobs are accepted while another job's messages are being sent, their messages are sent together in one call", async () => {
  const { world, caller, first, pause } = await whileSending();
  const later = await Promise.all(
    Array.from({ length: 5 }, (_, at) => newJob(world, caller, {}, `later ${at}`)),
  );
  expect(world.calls.filter((name) => name === "queue sendBatch")).toHaveLength(1);
  pause.release();
  await first;
  expect(world.calls.filter((name) => name === "queue sendBatch")).toHaveLength(2);
  // One write marks all of them as sent.
  expect(world.calls.filter((name) => name === "D1 run")).toHaveLength(1);
  expect(jobIdsOf(world)).toHaveLength(6);
  expect(jobIdsOf(world)).toEqual(expect.arrayContaining(later));
  world.restart();
  world.wait(60_000);
  await world.sweep();
  expect(jobIdsOf(world)).toHaveLength(6);
});

it("an order does not wait for a request that has been sending for too long", async () => {
  const { world, caller, first, pause } = await whileSending();
  await newJob(world, caller, {}, "left to it");
  world.wait(10_000);
  await newJob(world, caller, {}, "sends itself");
  expect(new Set(jobIdsOf(world)).size).toBe(2);
  pause.release();
  await first;
  expect(new Set(jobIdsOf(world)).size).toBe(3);
  expect(jobIdsOf(world)).toHaveLength(3);
});

it("the sweep sends the messages of a request that died", async () => {
  const { world, caller } = await whileSending();
  await newJob(world, caller, {}, "left to it");
  world.restart();
  world.wait(60_000);
  await world.sweep();
  expect(new Set(jobIdsOf(world)).size).toBe(2);
});
