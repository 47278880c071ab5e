import { expect, it } from "vitest";
import { DAYS, spentByDay } from "../../studio/src/usage/spent-by-day.ts";

/** The chart of usage adds up what the ledger has for each UTC day, and leaves no day out. */

const NOW_MS = Date.parse("2026-06-18T23:59:59.999Z");

it("sums orders and refunds by day, with a row for days without either", () => {
  const days = spentByDay(
    [
      { createdAt: "2026-06-18T00:00:00.000Z", type: "consumption", amount: -3 },
      { createdAt: "2026-06-18T12:00:00.000Z", type: "consumption", amount: -4 },
      { createdAt: "2026-06-18T13:00:00.000Z", type: "refund", amount: 4 },
      { createdAt: "2026-06-17T23:59:59.999Z", type: "consumption", amount: -1 },
      { createdAt: "2026-06-17T10:00:00.000Z", type: "grant", amount: 100 },
    ],
    NOW_MS,
  );
  expect(days).toHaveLength(DAYS);
  expect(days.at(-1)).toEqual({ date: "2026-06-18", spent: 7, refunded: 4 });
  expect(days.at(-2)).toEqual({ date: "2026-06-17", spent: 1, refunded: 0 });
  expect(days[0]).toEqual({ date: "2026-05-20", spent: 0, refunded: 0 });
});

it("leaves out what is older than its days", () => {
  const event = { type: "consumption", amount: -9 } as const;
  const days = spentByDay([{ ...event, createdAt: "2026-05-19T23:59:59.999Z" }], NOW_MS);
  expect(days.every(({ spent }) => spent === 0)).toBe(true);
});
