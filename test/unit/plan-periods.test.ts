import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterPaid,
  firstPeriod,
  isReplaceable,
  type PaidPeriod,
  PLAN_GRACE_MS,
  type Plan,
  withPayTime,
} from "#domains/ledger/plan.ts";

const DAY_MS = 86_400_000;

const month = (number: number, quota = 10, planId = "studio"): PaidPeriod => ({
  planId,
  quota,
  startMs: number * 30 * DAY_MS,
  endMs: (number + 1) * 30 * DAY_MS,
});

const END = month(1).endMs;

describe("a paid period", () => {
  it("opens with its own quota, which can be spent for three days beyond its end", () => {
    expect(firstPeriod(month(1))).toEqual({
      status: "active",
      planId: "studio",
      quotaLimit: 10,
      periodStart: month(1).startMs,
      periodEnd: END,
      cancelAt: null,
      endedAt: null,
      paysUntil: END + PLAN_GRACE_MS,
    });
  });

  it("is replaced by the next period, with the quota that was paid for it", () => {
    expect(afterPaid(firstPeriod(month(1)), month(2, 50, "agency"))).toEqual(
      firstPeriod(month(2, 50, "agency")),
    );
  });

  it("has its quota raised by a second payment within it, and never lowered", () => {
    const upgrade = { ...month(1, 50, "agency"), startMs: month(1).startMs + 5 * DAY_MS };
    const raised = afterPaid(firstPeriod(month(1)), upgrade);
    expect(raised).toMatchObject({ quotaLimit: 50, periodStart: month(1).startMs, periodEnd: END });
    expect(afterPaid(raised, month(1, 5)).quotaLimit).toBe(50);
  });

  it("ends without the extra days if no further payment is due", () => {
    const first = firstPeriod(month(1));
    expect(withPayTime({ ...first, cancelAt: END }, true).paysUntil).toBe(END);
    expect(withPayTime({ ...first, endedAt: 5 }, true).paysUntil).toBe(END);
    expect(withPayTime({ ...first, cancelAt: END + 1 }, true).paysUntil).toBe(END + PLAN_GRACE_MS);
  });

  it("cannot be spent after a full refund, until the refund is undone", () => {
    const first = firstPeriod(month(1));
    const returned = withPayTime(first, false);
    expect(returned.paysUntil).toBe(0);
    expect(withPayTime(returned, true)).toEqual(first);
  });

  it("stays ended when its last invoice arrives after its end", () => {
    const ended = withPayTime({ ...firstPeriod(month(1)), endedAt: END }, true);
    expect(afterPaid(ended, month(2))).toMatchObject({ endedAt: END, paysUntil: month(2).endMs });
  });
});

describe("any order of invoices", () => {
  const paid = fc
    .tuple(fc.nat(6), fc.integer({ min: 1, max: 20 }))
    .map(([number, quota]) => month(number, quota));

  it("never opens a period twice or goes back, and ignores repetitions", () => {
    fc.assert(
      fc.property(paid, fc.array(paid, { maxLength: 20 }), (first, later) => {
        const opened = new Set([first.startMs]);
        later.reduce<Plan>((plan, invoice) => {
          const next = afterPaid(plan, invoice);
          expect(next.periodStart).toBeGreaterThanOrEqual(plan.periodStart);
          if (next.periodStart !== plan.periodStart) {
            expect(opened.has(next.periodStart)).toBe(false);
            opened.add(next.periodStart);
          }
          expect(afterPaid(next, invoice)).toEqual(next);
          return next;
        }, firstPeriod(first));
      }),
      { verbose: true },
    );
  });

  it("ends in the latest period, with the largest quota paid for it", () => {
    fc.assert(
      fc.property(fc.array(paid, { minLength: 1, maxLength: 12 }), (invoices) => {
        const [first, ...later] = invoices;
        if (first === undefined) return;
        const plan = later.reduce(afterPaid, firstPeriod(first));
        const latest = Math.max(...invoices.map(({ startMs }) => startMs));
        const quotas = invoices.filter(({ startMs }) => startMs === latest).map(({ quota }) => quota);
        expect([plan.periodStart, plan.quotaLimit]).toEqual([latest, Math.max(...quotas)]);
      }),
      { verbose: true },
    );
  });
});

it("a plan can be replaced only once it is over or unpaid", () => {
  const first = firstPeriod(month(1));
  expect(isReplaceable(first, first.paysUntil - 1)).toBe(false);
  expect(isReplaceable(first, first.paysUntil)).toBe(true);
  expect(isReplaceable({ ...first, endedAt: 1 }, 2)).toBe(true);
});
