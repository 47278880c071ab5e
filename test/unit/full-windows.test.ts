import { expect, it } from "vitest";
import { createFullWindows } from "../../src/http/full-windows.ts";

/** Guarantee: a full window is known until it ends and no longer, and no more of them than memory allows. */

it("a window is known to be full until the millisecond it ends", () => {
  const windows = createFullWindows();
  windows.note("read:one", 60_000);
  expect(windows.endOf("read:one", 59_999)).toBe(60_000);
  expect(windows.endOf("read:two", 59_999)).toBeUndefined();
  expect(windows.endOf("read:one", 60_000)).toBeUndefined();
  // Also for a clock that steps back: then the object is asked again.
  expect(windows.endOf("read:one", 59_999)).toBeUndefined();
});

it("of a thousand and one, the longest known is forgotten", () => {
  const windows = createFullWindows();
  for (let at = 0; at <= 1_000; at += 1) windows.note(`read:${at}`, 60_000);
  expect(windows.endOf("read:0", 0)).toBeUndefined();
  expect(windows.endOf("read:1", 0)).toBe(60_000);
  expect(windows.endOf("read:1000", 0)).toBe(60_000);
});
