import { expect, it } from "vitest";
import type { JobBasis } from "../../src/jobs/job-basis.ts";
import { createRecentBases } from "../../src/jobs/recent-basis.ts";

/** Guarantee: a basis is remembered for its workspace and assets alone, for a minute, and no more than memory allows. */

const BASIS: JobBasis = {
  assets: [],
  access: { hasUnlimitedAccess: false, subscription: null, credits: 1 },
  windowLimits: { "failed-jobs": 20, "canceled-jobs": 200 },
  fullWindow: null,
};
const LOGO = { logo: "a" };
const START_MS = 1_000_000;

it("is found by its workspace and assets, in whatever order they are named", () => {
  const bases = createRecentBases();
  bases.keep("one", { logo: "a", media: "b" }, BASIS, START_MS);
  expect(bases.find("one", { media: "b", logo: "a" }, START_MS)).toBe(BASIS);
  expect(bases.find("two", { logo: "a", media: "b" }, START_MS)).toBeNull();
  expect(bases.find("one", LOGO, START_MS)).toBeNull();
});

it("is forgotten after a minute, by a clock that stepped back as far, and when told to", () => {
  const bases = createRecentBases();
  bases.keep("one", LOGO, BASIS, START_MS);
  expect(bases.find("one", LOGO, START_MS + 59_999)).toBe(BASIS);
  expect(bases.find("one", LOGO, START_MS + 60_000)).toBeNull();
  expect(bases.find("one", LOGO, START_MS - 60_000)).toBeNull();
  bases.forget("one", LOGO);
  expect(bases.find("one", LOGO, START_MS)).toBeNull();
});

it("of five hundred and one, the longest unread is forgotten", () => {
  const bases = createRecentBases();
  for (let at = 0; at <= 500; at += 1) bases.keep(String(at), LOGO, BASIS, START_MS);
  expect(bases.find("0", LOGO, START_MS)).toBeNull();
  expect(bases.find("1", LOGO, START_MS)).toBe(BASIS);
});
