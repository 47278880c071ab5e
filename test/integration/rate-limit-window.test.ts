import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "#platform/ids.ts";

/** Guarantee: a window that has long ended leaves nothing in storage, and one that has not is left alone. */

const WINDOW_MS = 60_000;
const START_MS = Date.parse("2026-06-18T12:00:00.000Z");

it("a window is removed by an alarm, which each new window puts off", async () => {
  const object = env.RATE_LIMIT_WINDOW.get(env.RATE_LIMIT_WINDOW.idFromName(newId()));
  const readStored = () =>
    runInDurableObject(object, async (_, { storage }) => ({
      entries: (await storage.list()).size,
      alarmMs: (await storage.getAlarm()) ?? 0,
    }));

  await object.count(2, WINDOW_MS, START_MS + WINDOW_MS - 1);
  const first = await readStored();
  await object.count(2, WINDOW_MS, START_MS + WINDOW_MS);
  const second = await readStored();
  // The first window had a millisecond left, the second all of itself.
  expect(second.alarmMs - first.alarmMs).toBeGreaterThanOrEqual(WINDOW_MS - 1);
  expect([first.entries, second.entries]).toEqual([1, 1]);

  expect(await runDurableObjectAlarm(object)).toBe(true);
  expect((await readStored()).entries).toBe(0);
  expect(await object.count(2, WINDOW_MS, START_MS + 3 * WINDOW_MS)).toMatchObject({ remaining: 1 });
});
