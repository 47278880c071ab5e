import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { afterPaid, type PaidPeriod, PLAN_GRACE_MS, withPayTime } from "#domains/ledger/plan.ts";
import { assertPlanUnchanged, planAsRead } from "#domains/ledger/plan-store.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { changeAccess } from "#domains/workspaces/change-access.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { failAndRefund, paidJobId, readEvents, spend } from "../support/ledger.ts";
import { changePlan, insertBoughtPlan, readPlan } from "../support/plans.ts";
import { createWorkspace } from "../support/workspace.ts";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-11-01T10:00:00Z");
const END = Date.parse("2026-12-01T10:00:00Z");
const november: PaidPeriod = { planId: "studio", quota: 6, startMs: START, endMs: END };
const december: PaidPeriod = { ...november, startMs: END, endMs: Date.parse("2027-01-01T10:00:00Z") };

async function bought(paid = november, credits = 0) {
  const { workspaceId } = await createWorkspace({ credits });
  return { workspaceId, plan: await insertBoughtPlan(workspaceId, paid) };
}

const pay = (plan: string, paid: PaidPeriod) =>
  changePlan(plan, (stored) => ({ ...stored, ...afterPaid(stored, paid) }));

describe("a plan whose period is over and whose next invoice is unpaid", () => {
  it("opens no new period, and its remaining quota can be used for three days (API §19.12)", async () => {
    const { workspaceId, plan } = await bought();
    await paidJobId(spend(workspaceId, 4, END - 1));
    await paidJobId(spend(workspaceId, 1, END + PLAN_GRACE_MS - 1));
    expect(await spend(workspaceId, 2, END + DAY_MS)).toBeNull();
    expect(await readPlan(plan)).toMatchObject({ quotaUsed: 5, periodStart: START, periodEnd: END });
  });

  it("pays for no job after these three days; credits pay instead", async () => {
    const { workspaceId } = await bought(november, 3);
    expect((await readPaidAccess(env.DB, workspaceId, END + PLAN_GRACE_MS)).subscription).toBeNull();
    await paidJobId(spend(workspaceId, 2, END + PLAN_GRACE_MS));
    expect((await readEvents(workspaceId)).at(-1)).toMatchObject({ source: "credits", amount: -2 });
    expect(await spend(workspaceId, 2, END + 400 * DAY_MS)).toBeNull();
  });

  it("has a full quota again once the invoice is paid, even if late", async () => {
    const { workspaceId, plan } = await bought();
    await paidJobId(spend(workspaceId, 6, END - 1));
    await pay(plan, december);
    await paidJobId(spend(workspaceId, 6, END + 5 * DAY_MS));
    expect(await spend(workspaceId, 1, END + 5 * DAY_MS)).toBeNull();
    expect(await readPlan(plan)).toMatchObject({ quotaUsed: 6, periodStart: END });
  });

  it("gains no quota from the refund of a job of an earlier period", async () => {
    const { workspaceId, plan } = await bought();
    const late = await paidJobId(spend(workspaceId, 5, END + DAY_MS));
    await pay(plan, december);
    await failAndRefund(late, END + 2 * DAY_MS);
    expect((await readPlan(plan)).quotaUsed).toBe(0);
  });
});

it("a refunded plan pays for no further job", async () => {
  const { workspaceId, plan } = await bought();
  await paidJobId(spend(workspaceId, 1, START));
  await changePlan(plan, (stored) => ({ ...stored, ...withPayTime(stored, false) }));
  expect(await spend(workspaceId, 1, START + 1)).toBeNull();
});

describe("writing a plan", () => {
  it("grants one quota for 8 events of the paid invoice and 20 jobs at once", async () => {
    const { workspaceId, plan } = await bought();
    await paidJobId(spend(workspaceId, 3, END - 1));
    const tellings = Array.from({ length: 8 }, () =>
      pay(plan, december).catch((thrown: unknown) => {
        if (!isGuardViolation(thrown, "payment_unchanged")) throw thrown;
      }),
    );
    const jobs = await Promise.all([
      ...Array.from({ length: 20 }, () => spend(workspaceId, 1, END + DAY_MS)),
      ...tellings,
    ]);
    while ((await spend(workspaceId, 1, END + DAY_MS)) !== null);
    expect(jobs.filter((jobId) => typeof jobId === "string").length).toBeGreaterThanOrEqual(3);
    const spent = (await readEvents(workspaceId)).reduce((sum, { amount }) => sum - amount, 0);
    const { quotaUsed, quotaLimit, periodStart } = await readPlan(plan);
    expect([quotaUsed, quotaLimit, periodStart]).toEqual([6, 6, END]);
    expect(spent).toBeLessThanOrEqual(12);
  });

  it("fails if the stored plan has changed since it was read", async () => {
    const { plan } = await bought();
    const asRead = planAsRead(await readPlan(plan));
    await pay(plan, december);
    const late = assertPlanUnchanged.bind(env.DB, { providerSubscriptionId: plan, asRead });
    await expect(late.run()).rejects.toThrow("payment_unchanged");
  });

  it("never sets a quota below its use", async () => {
    const { workspaceId, plan } = await bought();
    await paidJobId(spend(workspaceId, 5, START));
    await changePlan(plan, (stored) => ({ ...stored, quotaLimit: 2 }));
    expect(await readPlan(plan)).toMatchObject({ quotaLimit: 5, quotaUsed: 5 });
  });
});

describe("an operator's change of access", () => {
  it("is refused, without any effect, while a bought plan is active", async () => {
    const { workspaceId, plan } = await bought();
    const refused = await changeAccess(env.DB, workspaceId, { kind: "unlimited" }, END + 30 * DAY_MS);
    expect(refused).toMatchObject({ ok: false, code: "PLAN_ACTIVE" });
    expect((await readPaidAccess(env.DB, workspaceId, START)).hasUnlimitedAccess).toBe(false);
    expect((await readPlan(plan)).status).toBe("active");
  });

  it("works once the plan has ended and the paid period is over", async () => {
    const { workspaceId, plan } = await bought();
    await changePlan(plan, (stored) => ({
      ...stored,
      ...withPayTime({ ...stored, endedAt: START + 5 }, true),
    }));
    const terms = { kind: "subscription", quotaLimit: 9, period: "month" } as const;
    expect((await changeAccess(env.DB, workspaceId, terms, END - 1)).ok).toBe(false);
    expect((await changeAccess(env.DB, workspaceId, terms, END)).ok).toBe(true);
    expect((await readPaidAccess(env.DB, workspaceId, END)).subscription).toMatchObject({ quotaLimit: 9 });
  });
});
