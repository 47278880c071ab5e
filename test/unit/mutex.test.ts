import { expect, it } from "vitest";
import { BUSY, createMutex } from "#platform/concurrency/mutex.ts";

const HOLD_MS = 10_000;

/** A clock that advances only while a task waits. */
function ownClock() {
  let nowMs = 0;
  return {
    now: () => nowMs,
    wait: async (timeMs: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      nowMs += timeMs;
    },
  };
}

const never = (): Promise<never> => new Promise(() => undefined);

it("a mutex runs one task at a time, in order, even after a task that throws", async () => {
  const mutex = createMutex(HOLD_MS, ownClock());
  const ran: number[] = [];
  let running = 0;
  let most = 0;
  const ends = await Promise.allSettled(
    [0, 1, 2, 3, 4].map((task) =>
      mutex.run(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        ran.push(task);
        if (task === 1) throw new Error("as planned");
      }),
    ),
  );
  expect(most).toBe(1);
  expect(ran).toEqual([0, 1, 2, 3, 4]);
  expect(ends.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
});

it("a mutex rejects a caller if too many are waiting, and later accepts callers again", async () => {
  const mutex = createMutex(HOLD_MS, ownClock());
  const results = await Promise.all([0, 1, 2, 3].map((task) => mutex.runSoon(async () => task, 2, HOLD_MS)));
  expect(results).toEqual([0, 1, 2, BUSY]);
  expect(await mutex.runSoon(async () => "taken", 0, HOLD_MS)).toBe("taken");
});

it("a mutex continues without a task that never ends, exactly after its timeout", async () => {
  const clock = ownClock();
  const mutex = createMutex(HOLD_MS, clock);
  void mutex.run(never);
  expect(await mutex.run(async () => clock.now())).toBeGreaterThan(HOLD_MS);
});

it("a mutex continues sooner if the task that never ends has a shorter timeout", async () => {
  const clock = ownClock();
  const mutex = createMutex(HOLD_MS, clock);
  void mutex.runSoon(never, 0, HOLD_MS / 5);
  const startedAtMs = await mutex.run(async () => clock.now());
  expect(startedAtMs).toBeGreaterThan(HOLD_MS / 5);
  expect(startedAtMs).toBeLessThan(HOLD_MS);
});

it("a mutex skips a task that was aborted while it waited", async () => {
  const clock = ownClock();
  let isCutOff = false;
  const mutex = createMutex(HOLD_MS, {
    now: clock.now,
    wait: (timeMs) => (isCutOff ? never() : clock.wait(timeMs)),
  });
  void mutex.run(never);
  isCutOff = true;
  const ran: string[] = [];
  void mutex.run(async () => ran.push("cut off"));
  await Promise.resolve();
  isCutOff = false;
  await mutex.run(async () => ran.push("alive"));
  expect(ran).toEqual(["alive"]);
});
