import { expect, it } from "vitest";
import { createSlots } from "#platform/concurrency/semaphore.ts";

it("as many concurrent callers are admitted as there are slots", () => {
  const slots = createSlots(3, 1_000);
  const taken = Array.from({ length: 10 }, () => slots.take(0));
  expect(taken.filter((release) => release !== null)).toHaveLength(3);
  taken[1]?.();
  taken[1]?.();
  expect(slots.take(1)).not.toBeNull();
  expect(slots.take(1)).toBeNull();
});

it("an unreturned slot is freed exactly after its timeout", () => {
  const slots = createSlots(1, 1_000);
  const late = slots.take(0);
  expect(slots.take(999)).toBeNull();
  expect(slots.take(1_000)).not.toBeNull();
  late?.();
  expect(slots.take(1_001)).toBeNull();
});
