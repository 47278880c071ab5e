import { describe, expect, it } from "vitest";
import { addMonths } from "#domains/ledger/period.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { failAndRefund, paidJobId, readEvents, readStored, spend } from "../support/ledger.ts";
import { createWorkspace, keyDatabase } from "../support/workspace.ts";

const subscribed = async (quota: number, credits = 0) => {
  const { workspaceId } = await createWorkspace({ quota, credits });
  const { periodStart } = await readStored(workspaceId);
  if (periodStart === null) throw new Error("no subscription");
  return { workspaceId, startMs: periodStart, nextMs: addMonths(periodStart, 1) };
};

describe("a quota within its period", () => {
  it("of 5 jobs, together with credits for 6, pays for exactly 11 of 20 concurrent jobs", async () => {
    const { workspaceId } = await subscribed(5, 6);
    const jobs = await Promise.all(Array.from({ length: 20 }, () => spend(workspaceId, 1)));
    expect(jobs.filter((jobId) => jobId !== null)).toHaveLength(11);
    expect(await readStored(workspaceId)).toMatchObject({ quotaUsed: 5, credits: 0 });
    const sources = (await readEvents(workspaceId))
      .filter(({ type }) => type === "consumption")
      .map(({ source }) => source);
    expect(sources.filter((source) => source === "subscription")).toHaveLength(5);
  });

  it("a job that costs more than the remaining quota is paid entirely by credits", async () => {
    const { workspaceId } = await subscribed(3, 5);
    await paidJobId(spend(workspaceId, 2));
    await paidJobId(spend(workspaceId, 2));
    expect(await readStored(workspaceId)).toMatchObject({ quotaUsed: 2, credits: 3 });
  });

  it("a refund restores quota, and its event shows the remaining quota", async () => {
    const { workspaceId } = await subscribed(5);
    const jobId = await paidJobId(spend(workspaceId, 3));
    await Promise.all([failAndRefund(jobId), failAndRefund(jobId)]);
    expect((await readStored(workspaceId)).quotaUsed).toBe(0);
    expect(
      (await readEvents(workspaceId)).map(({ amount, balance_after }) => [amount, balance_after]),
    ).toEqual([
      [-3, 2],
      [3, 5],
    ]);
  });
});

describe("a new period", () => {
  it("starts with its first job, and with a full quota", async () => {
    const { workspaceId, startMs, nextMs } = await subscribed(4);
    await paidJobId(spend(workspaceId, 4, nextMs - 1));
    expect(await spend(workspaceId, 1, nextMs - 1)).toBeNull();
    await paidJobId(spend(workspaceId, 1, nextMs));
    expect(await readStored(workspaceId)).toMatchObject({
      quotaUsed: 1,
      periodStart: nextMs,
      periodEnd: addMonths(startMs, 2),
    });
  });

  it("is shown by the balance from its start, even without a job", async () => {
    const { workspaceId, nextMs } = await subscribed(4);
    await paidJobId(spend(workspaceId, 4, nextMs - 1));
    const { subscription } = await readPaidAccess(keyDatabase().db, workspaceId, nextMs);
    expect(subscription).toMatchObject({ quotaUsed: 0, periodStart: nextMs });
    expect((await readStored(workspaceId)).quotaUsed).toBe(4);
  });

  it("is opened once by 12 concurrent jobs, and covers exactly its quota", async () => {
    const { workspaceId, nextMs } = await subscribed(5);
    await paidJobId(spend(workspaceId, 5, nextMs - 1));
    const jobs = await Promise.all(Array.from({ length: 12 }, () => spend(workspaceId, 1, nextMs + 10)));
    expect(jobs.filter((jobId) => jobId !== null)).toHaveLength(5);
    expect(await readStored(workspaceId)).toMatchObject({ quotaUsed: 5, periodStart: nextMs });
  });

  it("unused periods are skipped", async () => {
    const { workspaceId, startMs } = await subscribed(4);
    const muchLater = addMonths(startMs, 7) + 1;
    await paidJobId(spend(workspaceId, 1, muchLater));
    expect(await readStored(workspaceId)).toMatchObject({
      quotaUsed: 1,
      periodStart: addMonths(startMs, 7),
      periodEnd: addMonths(startMs, 8),
    });
  });

  it("gains no quota from the refund of a job of an earlier period, which is still recorded", async () => {
    const { workspaceId, nextMs } = await subscribed(4);
    const late = await paidJobId(spend(workspaceId, 3, nextMs - 1));
    await paidJobId(spend(workspaceId, 2, nextMs));
    await failAndRefund(late, nextMs + 5);
    expect((await readStored(workspaceId)).quotaUsed).toBe(2);
    expect((await readEvents(workspaceId)).at(-1)).toMatchObject({
      type: "refund",
      amount: 3,
      source: "subscription",
      balance_after: 2,
    });
  });

  it("has its full quota even if a refund of an earlier period precedes its first job", async () => {
    const { workspaceId, nextMs } = await subscribed(4);
    const late = await paidJobId(spend(workspaceId, 3, nextMs - 1));
    await failAndRefund(late, nextMs + 5);
    await paidJobId(spend(workspaceId, 4, nextMs + 6));
    expect((await readStored(workspaceId)).quotaUsed).toBe(4);
  });
});
