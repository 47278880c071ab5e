import { expect, it } from "vitest";
import { recentMonths, spanOf, spentByDay } from "../../studio/src/usage/usage-span.ts";

const NOW_MS = Date.parse("2026-03-01T00:00:00.000Z");

it("there is a row for each day, even for days without orders", () => {
  const days = spentByDay({ from: "2026-06-16", to: "2026-06-18" }, [
    { day: "2026-06-18", consumed: 7, refunded: 4 },
    { day: "2026-06-15", consumed: 9, refunded: 0 },
  ]);
  expect(days).toEqual([
    { date: "2026-06-16", spent: 0, refunded: 0 },
    { date: "2026-06-17", spent: 0, refunded: 0 },
    { date: "2026-06-18", spent: 7, refunded: 4 },
  ]);
});

it.each([
  ["last30", "2026-01-31", "2026-03-01"],
  ["last90", "2025-12-02", "2026-03-01"],
  ["thisMonth", "2026-03-01", "2026-03-01"],
  ["lastMonth", "2026-02-01", "2026-02-28"],
] as const)("%s is from %s to %s", (name, from, to) => {
  expect(spanOf(name, NOW_MS)).toEqual({ from, to });
});

it("statements are offered for this month and the eleven before it, across a new year", () => {
  const months = recentMonths(NOW_MS);
  expect([months[0], months[2], months.at(-1), months.length]).toEqual(["2026-03", "2026-01", "2025-04", 12]);
});
