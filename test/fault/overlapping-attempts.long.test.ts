import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { reportStress } from "../stress/report.ts";
import { stressScale } from "../stress/scale.ts";
import { selectValue } from "../support/database.ts";
import { isOnShards } from "../support/homes.ts";
import { expectInvariants } from "../support/jobs.ts";
import { moveWhole } from "../support/moves.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { callerWithJob } from "./client.ts";
import { dumpOf } from "./dump.ts";
import { freshStorage } from "./fresh-storage.ts";
import { hangAttempt } from "./hang-attempt.ts";
import { World } from "./world.ts";

/**
 * An attempt that hangs at any await while another attempt runs, or while its job ends, does no harm when it continues:
 * the pack is drawn once, or the job fails and is refunded once.
 */

beforeAll(freshStorage);
afterEach(() => {
  vi.useRealTimers();
});

const START_MS = Date.parse("2032-01-01T00:00:00.000Z");
const DAY_MS = 24 * 60 * 60_000;
/**
 * The maximum time in ms for which a dead task can occupy an isolate's renderer (src/platform/concurrency/memory.ts).
 */
const TURN_MS_MAX = 300_000;

type Message = World["messages"][number];

/** A concurrent event for the job, in its own process. */
type ConcurrentAct = (world: World, message: Message) => Promise<unknown>;

/** Concurrent events, and the possible ends of the job after each. */
const CONCURRENT_ACTS: Readonly<
  Record<string, { readonly act: ConcurrentAct; readonly ends: readonly string[] }>
> = {
  "the same message is delivered again": {
    act: (world, message) => world.deliver({ ...message, attempts: 2 }),
    ends: ["succeeded"],
  },
  "its lease ends and another message takes over": {
    act: (world, message) => {
      world.wait(LIMITS.partLeaseMs + 1);
      return world.deliver({ ...message, id: "another" });
    },
    ends: ["succeeded"],
  },
  "the queue dead-letters the message": {
    act: (world, message) => world.deliver(message, "creative-packs-render-dead"),
    ends: ["succeeded"],
  },
  "the job has been open for a day": {
    act: (world) => {
      world.wait(DAY_MS + 1);
      return world.sweep();
    },
    ends: ["failed", "succeeded"],
  },
};

/** In a run with shards the workspace may also move, so that the message finds no job. */
const MOVED: typeof CONCURRENT_ACTS = {
  "its workspace moves": {
    act: async (world, { body }) => {
      const { jobId } = z.object({ jobId: z.string() }).parse(body);
      const workspaceId = await selectValue<string>`SELECT workspace_id FROM jobs WHERE job_id = ${jobId}`;
      expect(await moveWhole(workspaceId ?? "", (ms) => world.wait(ms))).toBe(1);
    },
    ends: ["succeeded"],
  },
};

/** Awaits work, and advances the timers so that no wait for the renderer takes real time. */
async function withoutWaiting<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const watched = work.finally(() => {
    isDone = true;
  });
  // The rejection is handled by the await below.
  watched.catch(() => undefined);
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(TURN_MS_MAX);
    await scheduler.wait(1);
  }
  return watched;
}

interface End {
  readonly status: string;
  readonly dump: unknown;
  /** Whether the attempt reached the step at which it was to hang. */
  readonly didHang: boolean;
}

async function hangAt(step: number, concurrent: ConcurrentAct | null): Promise<End> {
  const world = new World(START_MS);
  const job = await callerWithJob(world, { credits: 5 });
  const [message] = world.messages.splice(0);
  if (message === undefined) throw new Error("the job sent no message");
  const { didHang, isAcknowledged, other } = await hangAttempt(
    world,
    message,
    { queue: "creative-packs-render", step },
    async (beside) => {
      if (concurrent === null) return;
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
      await withoutWaiting(concurrent(beside, message));
      vi.useRealTimers();
    },
  );
  if (!isAcknowledged) await other.deliver({ ...message, attempts: 3 });
  if (isOnShards()) {
    other.wait(LIMITS.partLeaseMs + 1);
    await other.sweep();
  }
  await other.drain();
  await expectInvariants(job.workspaceId);
  const path = `/api/v1/jobs/${job.jobId}`;
  const { body } = await other.request({ method: "GET", path, secret: job.secret });
  return { status: body.data.status, dump: await dumpOf(job.workspaceId), didHang };
}

const STEPS_MAX = 100;

it.for(Object.entries({ ...CONCURRENT_ACTS, ...(isOnShards() ? MOVED : {}) }))(
  "a render attempt may hang while %s",
  async ([, { act, ends }], { task }) => {
    silenceLogs();
    const undisturbed = await hangAt(STEPS_MAX, null);
    expect(undisturbed.status).toBe("succeeded");
    const stride = Math.min(4, stressScale().crashStride);
    let steps = 0;
    for (let step = 0; step < STEPS_MAX; step += stride) {
      const end = await hangAt(step, act);
      if (!end.didHang) break;
      steps += 1;
      expect(ends, `hung at step ${step}`).toContain(end.status);
      if (end.status === "succeeded") expect(end.dump, `hung at step ${step}`).toEqual(undisturbed.dump);
    }
    expect(steps).toBeGreaterThan(2);
    const moves = act === MOVED["its workspace moves"]?.act ? { moves: steps } : {};
    reportStress(task, { counts: { "overlapping redeliveries": steps, ...moves } });
  },
);
