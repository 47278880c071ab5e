import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addMonths, periodAt } from "#domains/ledger/period.ts";

const at = (text: string): number => Date.parse(text);

describe("periods of a calendar month", () => {
  it.each([
    ["2026-01-31T08:30Z", "2026-02-27T00:00Z", "2026-01-31T08:30Z", "2026-02-28T08:30Z"],
    ["2026-01-31T08:30Z", "2026-03-30T00:00Z", "2026-02-28T08:30Z", "2026-03-31T08:30Z"],
    ["2024-01-31T08:30Z", "2024-03-01T00:00Z", "2024-02-29T08:30Z", "2024-03-31T08:30Z"],
    ["2025-12-15T00:00Z", "2026-01-15T00:00Z", "2026-01-15T00:00Z", "2026-02-15T00:00Z"],
    ["2024-02-29T23:59:59.999Z", "2025-03-01T00:00Z", "2025-02-28T23:59:59.999Z", "2025-03-29T23:59:59.999Z"],
    // The last millisecond of a period, and the first of the next.
    ["2026-01-31T08:30Z", "2026-02-28T08:29:59.999Z", "2026-01-31T08:30Z", "2026-02-28T08:30Z"],
    ["2026-01-31T08:30Z", "2026-02-28T08:30Z", "2026-02-28T08:30Z", "2026-03-31T08:30Z"],
  ])("anchored %s, at %s: %s to %s", (anchor, now, start, end) => {
    expect(periodAt("month", at(anchor), at(now))).toEqual({ startMs: at(start), endMs: at(end) });
  });

  it("adding months keeps the time of day", () => {
    expect(addMonths(at("2026-08-31T23:59:59.999Z"), 1)).toBe(at("2026-09-30T23:59:59.999Z"));
  });
});

describe("every period", () => {
  const times = fc.integer({ min: at("2020-01-01T00:00:00Z"), max: at("2100-01-01T00:00:00Z") });
  const later = fc.integer({ min: 0, max: 20 * 366 * 86_400_000 });

  it("contains its time, and ends where the next one starts", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("day" as const, "month" as const),
        times,
        later,
        (period, anchor, ageMs) => {
          const nowMs = anchor + ageMs;
          const span = periodAt(period, anchor, nowMs);
          expect(span.startMs).toBeLessThanOrEqual(nowMs);
          expect(span.endMs).toBeGreaterThan(nowMs);
          expect(span.startMs).toBeGreaterThanOrEqual(anchor);
          expect(periodAt(period, anchor, span.endMs).startMs).toBe(span.endMs);
          expect(periodAt(period, anchor, span.endMs - 1)).toEqual(span);
        },
      ),
      { verbose: true },
    );
  });

  it("is the first if the clock lags behind the subscription's start", () => {
    const anchor = at("2026-05-15T12:00:00Z");
    for (const period of ["day", "month"] as const) {
      expect(periodAt(period, anchor, anchor - 40 * 86_400_000)).toEqual(periodAt(period, anchor, anchor));
    }
  });
});
