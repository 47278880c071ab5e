import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { successEnvelope } from "#api/schemas/envelope.ts";
import { statementSchema } from "#api/schemas/usage-statement.ts";
import { usageSummarySchema } from "#api/schemas/usage-summary.ts";
import { insertCreditEvent } from "#domains/ledger/store.ts";
import { readStatement } from "#domains/usage/month-statement.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { nextUtcMonthMs, utcDayOf, utcMonthOf } from "#platform/utc-day.ts";
import { execute, selectRows } from "../support/database.ts";
import { failAndRefund, readStored, spend } from "../support/ledger.ts";
import { seededRandom } from "../support/pictures.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { call, createWorkspace, type TestWorkspace } from "../support/workspace.ts";

/**
 * Summaries and statements agree with the ledger. The sums by day, key, contract and source are those of jobs and
 * refunds. A month opens with the closing balance of the previous month, and its events add up.
 */

const START_MS = Date.parse("2032-11-20T22:00:00.000Z");
const HOUR_MS = 3_600_000;
const STEPS = 150;
const CONTRACTS = ["display.v1", "campaign.v1", "social.v1"];

type Random = () => number;
const pickOf = <T>(random: Random, of: readonly [T, ...T[]]): T =>
  of[Math.floor(random() * of.length)] ?? of[0];

const credit = (workspaceId: string, type: "grant" | "adjustment", amount: number, nowMs: number) =>
  insertCreditEvent
    .bind(env.DB, {
      workspaceId,
      type,
      amount,
      reference: `${amount % 2 === 0 ? "stripe:pi_" : "test:"}${newId()}:grant`,
      description: "Test",
      nowMs,
    })
    .run();

/** A workspace with some months of jobs, refunds, grants and adjustments. `nowMs` is the time of the last step. */
async function workspaceWithHistory(random: Random) {
  const workspace = await createWorkspace({ credits: 40, quota: 25 });
  const { workspaceId, apiKeyId } = workspace;
  const other = await call("POST", "/api/v1/api-keys", {
    secret: workspace.secret,
    body: { name: "Other", scopes: ["jobs:write"] },
  });
  const keys = [apiKeyId, other.body.data.apiKeyId as string, null] as const;
  const open: string[] = [];
  let nowMs = START_MS;
  for (let step = 0; step < STEPS; step += 1) {
    // Mostly hours, sometimes days, sometimes 0, so that some jobs are created in the same millisecond.
    nowMs += Math.floor(random() ** 3 * 80 * HOUR_MS) * (random() < 0.1 ? 0 : 1);
    const choice = random();
    if (choice < 0.6) {
      const spender = {
        apiKeyId: pickOf(random, keys),
        contractId: pickOf(random, CONTRACTS as [string, ...string[]]),
      };
      const jobId = await spend(workspaceId, 1 + Math.floor(random() * 6), nowMs, spender);
      if (jobId !== null) open.push(jobId);
    } else if (choice < 0.8) {
      const [jobId] = open.splice(Math.floor(random() * open.length), 1);
      if (jobId !== undefined) await failAndRefund(jobId, nowMs);
    } else if (choice < 0.9) {
      await credit(workspaceId, "grant", 1 + Math.floor(random() * 30), nowMs);
    } else if (choice < 0.95) {
      const { credits } = await readStored(workspaceId);
      if (credits > 0)
        await credit(workspaceId, "adjustment", -1 - Math.floor(random() * (credits - 1)), nowMs);
    } else {
      const isUnlimited = random() < 0.5 ? 1 : 0;
      await execute`UPDATE workspaces SET has_unlimited_access = ${isUnlimited} WHERE workspace_id = ${workspaceId}`;
    }
  }
  vi.spyOn(clock, "now").mockReturnValue(nowMs);
  return { workspace, nowMs };
}

interface JobSum {
  readonly day: string;
  readonly apiKeyId: string | null;
  readonly contractId: string;
  readonly source: string;
  readonly consumed: number;
  readonly refunded: number;
}

/** Each job with its consumption and refund in the ledger. */
const jobsOf = ({ workspaceId }: TestWorkspace) => selectRows<JobSum>`
  SELECT date(j.created_at / 1000, 'unixepoch') AS day, j.api_key_id AS apiKeyId, j.contract_id AS contractId,
    c.source, -c.amount AS consumed, coalesce(r.amount, 0) AS refunded
  FROM jobs j JOIN ledger_events c ON c.job_id = j.job_id AND c.type = 'consumption'
  LEFT JOIN ledger_events r ON r.job_id = j.job_id AND r.type = 'refund'
  WHERE j.workspace_id = ${workspaceId}`;

/** Sums of job rows, in the shape of a summary's row. */
const sumsOf = (jobs: readonly JobSum[]) => {
  const sum = (amount: (job: JobSum) => number) => jobs.reduce((total, job) => total + amount(job), 0);
  const spentOf = (source: string) => sum((job) => (job.source === source ? job.consumed - job.refunded : 0));
  return {
    jobs: jobs.length,
    consumed: sum(({ consumed }) => consumed),
    refunded: sum(({ refunded }) => refunded),
    spent: sum(({ consumed, refunded }) => consumed - refunded),
    spentBySource: {
      credits: spentOf("credits"),
      subscription: spentOf("subscription"),
      unlimited: spentOf("unlimited"),
    },
  };
};

async function summaryOf({ secret }: TestWorkspace, query: string) {
  const answer = await call("GET", `/api/v1/usage/summary?${query}`, { secret });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return successEnvelope(usageSummarySchema.strict()).parse(answer.body).data;
}

async function statementOf({ secret }: TestWorkspace, month: string) {
  const answer = await call("GET", `/api/v1/usage/statement?month=${month}`, { secret });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return successEnvelope(statementSchema.strict()).parse(answer.body).data;
}

const monthsBetween = (fromMs: number, toMs: number): string[] => {
  const months: string[] = [];
  for (let at = fromMs; utcMonthOf(at) <= utcMonthOf(toMs); at = nextUtcMonthMs(at))
    months.push(utcMonthOf(at));
  return months;
};

const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;

it.each([0, 1, 2])(`a history adds up (seed ${seed} + %i)`, async (round) => {
  silenceLogs();
  const { workspace, nowMs } = await workspaceWithHistory(seededRandom(seed + round));
  const jobs = await jobsOf(workspace);
  expect(jobs.length).toBeGreaterThan(20);
  const range = `from=${utcDayOf(START_MS)}&to=${utcDayOf(nowMs)}`;

  for (const groupBy of [
    "",
    "day",
    "key",
    "contract",
    "day,key",
    "contract,day",
    "key,contract",
    "contract,key,day",
  ]) {
    const { items, totals, nextBefore } = await summaryOf(workspace, `${range}&groupBy=${groupBy}`);
    expect([totals, nextBefore]).toEqual([sumsOf(jobs), null]);
    if (groupBy === "") expect(items).toEqual([]);
    const isOf = (item: (typeof items)[number]) => (job: JobSum) =>
      (!groupBy.includes("day") || job.day === item.day) &&
      (!groupBy.includes("key") || job.apiKeyId === item.apiKeyId) &&
      (!groupBy.includes("contract") || job.contractId === item.contractId);
    for (const item of items) {
      const { day, apiKeyId, apiKeyName, contractId, ...sums } = item;
      expect(sums).toEqual(sumsOf(jobs.filter(isOf(item))));
      const names = { [workspace.apiKeyId]: "First key" };
      const isNamed = groupBy.includes("key") && apiKeyId !== null;
      expect(apiKeyName).toBe(isNamed ? (names[apiKeyId] ?? "Other") : null);
      expect([day, contractId].map((part) => part !== null)).toEqual(
        ["day", "contract"].map((one) => groupBy.includes(one)),
      );
    }
    if (groupBy !== "") expect(items.reduce((sum, item) => sum + item.jobs, 0)).toBe(jobs.length);
  }

  let closing = 40;
  for (const month of monthsBetween(START_MS, nowMs)) {
    const found = await statementOf(workspace, month);
    const { opening, closing: closed, ...events } = found.credits;
    expect(opening, month).toBe(closing);
    expect(opening + Object.values(events).reduce((sum, amount) => sum + amount, 0), month).toBe(closed);
    closing = closed;
    for (const part of ["jobs", "consumed", "refunded", "spent"] as const) {
      const sum = (rows: readonly Record<typeof part, number>[]) =>
        rows.reduce((total, row) => total + row[part], 0);
      expect(sum(found.contracts), part).toBe(found.orders[part]);
      expect(sum(Object.values(found.ordersBySource)), part).toBe(found.orders[part]);
    }
    expect([-found.ordersBySource.credits.consumed + 0, found.ordersBySource.credits.refunded]).toEqual([
      events.consumption,
      events.refunds,
    ]);
    expect(found.isOver).toBe(month !== utcMonthOf(nowMs));
  }
  expect(closing).toBe((await readStored(workspace.workspaceId)).credits);
});

it("a past month never changes, even if its jobs are refunded later", async () => {
  const { workspaceId } = await createWorkspace({ credits: 10 });
  const november = Date.parse("2032-11-30T23:59:59.999Z");
  const jobId = await spend(workspaceId, 4, november);
  const read = (month: string, nowMs: number) => readStatement(env.DB, workspaceId, month, nowMs);
  const before = await read("2032-11", november + 1);
  await failAndRefund(jobId ?? "", november + 1);
  expect(await read("2032-11", november + 1)).toEqual(before);
  expect(before).toMatchObject({
    value: { credits: { opening: 10, consumption: -4, closing: 6 }, isOver: true },
  });
  expect(await read("2032-12", november + 1)).toMatchObject({
    value: {
      credits: { opening: 6, refunds: 4, closing: 10 },
      orders: { jobs: 0, consumed: 0, refunded: 4, spent: -4 },
      contracts: [{ contractId: "display.v1", refunded: 4 }],
      isOver: false,
    },
  });
});

it("empty months, and months before the workspace existed, open and close with the same balance", async () => {
  const { workspaceId } = await createWorkspace({ credits: 10 });
  await spend(workspaceId, 4, Date.parse("2033-03-05T00:00:00.000Z"));
  const at = async (month: string) => {
    const found = await readStatement(env.DB, workspaceId, month, Date.parse("2033-05-01T00:00:00.000Z"));
    return found?.ok === true ? [found.value.credits.opening, found.value.credits.closing] : found;
  };
  expect(
    await Promise.all(["2001-01", "2032-07", "2033-02", "2033-03", "2033-04", "2033-05"].map(at)),
  ).toEqual([
    [0, 0],
    [10, 10],
    [10, 10],
    [10, 6],
    [6, 6],
    [6, 6],
  ]);
});

it("an event with the time of a lagging clock counts in the month that has begun", async () => {
  const { workspaceId } = await createWorkspace({});
  const december = Date.parse("2032-12-01T00:00:00.000Z");
  await credit(workspaceId, "grant", 3, december);
  await credit(workspaceId, "grant", 5, december - 1);
  const at = async (month: string) => {
    const found = await readStatement(env.DB, workspaceId, month, december);
    return found?.ok === true
      ? [found.value.credits.opening, found.value.credits.grants, found.value.credits.closing]
      : found;
  };
  expect([await at("2032-11"), await at("2032-12")]).toEqual([
    [0, 0, 0],
    [0, 8, 8],
  ]);
});
