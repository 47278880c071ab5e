import { expect, it } from "vitest";
import { createExhaustedWindowCache } from "#interface/http/isolate-state.ts";

it("a window counts as exhausted until the millisecond it ends", () => {
  const windows = createExhaustedWindowCache();
  windows.add("read:one", 60_000);
  expect(windows.endOf("read:one", 59_999)).toBe(60_000);
  expect(windows.endOf("read:two", 59_999)).toBeUndefined();
  expect(windows.endOf("read:one", 60_000)).toBeUndefined();
  // A window that has ended is removed, even if the clock goes backwards.
  expect(windows.endOf("read:one", 59_999)).toBeUndefined();
});

it("the cache keeps a thousand windows, and drops the oldest", () => {
  const windows = createExhaustedWindowCache();
  for (let at = 0; at <= 1_000; at += 1) windows.add(`read:${at}`, 60_000);
  expect(windows.endOf("read:0", 0)).toBeUndefined();
  expect(windows.endOf("read:1", 0)).toBe(60_000);
  expect(windows.endOf("read:1000", 0)).toBe(60_000);
});
