import { expect, it } from "vitest";
import { createPreconditionCache } from "#domains/jobs/precondition-cache.ts";
import type { JobPreconditions } from "#domains/jobs/preconditions.ts";

const PRECONDITIONS: JobPreconditions = {
  assets: [],
  access: { hasUnlimitedAccess: false, subscription: null, credits: 1 },
  budget: null,
  windowLimits: { "failed-jobs": 20, "canceled-jobs": 200 },
  fullWindow: null,
  needsConfirmedOwner: false,
  hasUnconfirmedOwner: false,
};
const LOGO = { logo: "a" };
const START_MS = 1_000_000;

it("preconditions are found by workspace and assets, in any order of the assets", () => {
  const cache = createPreconditionCache();
  cache.keep("one", { logo: "a", media: "b" }, PRECONDITIONS, START_MS);
  expect(cache.find("one", { media: "b", logo: "a" }, START_MS)).toBe(PRECONDITIONS);
  expect(cache.find("two", { logo: "a", media: "b" }, START_MS)).toBeNull();
  expect(cache.find("one", LOGO, START_MS)).toBeNull();
});

it("preconditions are dropped after a minute, if the clock goes back by a minute, and on demand", () => {
  const cache = createPreconditionCache();
  cache.keep("one", LOGO, PRECONDITIONS, START_MS);
  expect(cache.find("one", LOGO, START_MS + 59_999)).toBe(PRECONDITIONS);
  expect(cache.find("one", LOGO, START_MS + 60_000)).toBeNull();
  expect(cache.find("one", LOGO, START_MS - 60_000)).toBeNull();
  cache.drop("one", LOGO);
  expect(cache.find("one", LOGO, START_MS)).toBeNull();
});

it("the cache keeps five hundred preconditions, and drops the least recently read", () => {
  const cache = createPreconditionCache();
  for (let at = 0; at <= 500; at += 1) cache.keep(String(at), LOGO, PRECONDITIONS, START_MS);
  expect(cache.find("0", LOGO, START_MS)).toBeNull();
  expect(cache.find("1", LOGO, START_MS)).toBe(PRECONDITIONS);
});
