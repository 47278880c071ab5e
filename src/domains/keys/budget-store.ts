import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { guard } from "#platform/db/batch-guard.ts";
import { apiKeys, jobs, usageDays } from "#platform/db/schema/index.ts";
import { type Given, matches, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of key budgets. Triggers keep each key's spending per day (migrations/0021). */

const dayOf = (timeMs: SQLWrapper): SQL => sql`strftime('%Y-%m-%d', ${timeMs} / 1000, 'unixepoch')`;

/** A bound for the days of a month in text order: "00" sorts before all of them, "99" after. */
const inMonthOf = (timeMs: SQLWrapper, day: "00" | "99"): SQL =>
  sql`strftime(${sql.raw(`'%Y-%m-${day}'`)}, ${timeMs} / 1000, 'unixepoch')`;

/** Credits that a key spent from one day to another, both inclusive. */
const spentBetween = (
  key: { readonly workspaceId: SQLWrapper; readonly apiKeyId: SQLWrapper },
  from: SQL,
  to: SQL,
): SQL =>
  sql`coalesce((select sum(${usageDays.consumed} - ${usageDays.refunded}) from ${usageDays}
    where ${usageDays.workspaceId} = ${key.workspaceId} and ${usageDays.apiKeyId} = ${key.apiKeyId}
      and ${usageDays.day} between ${from} and ${to}), 0)`;

const spentOnDayOf = (key: Parameters<typeof spentBetween>[0], timeMs: SQLWrapper): SQL =>
  spentBetween(key, dayOf(timeMs), dayOf(timeMs));

const spentInMonthOf = (key: Parameters<typeof spentBetween>[0], timeMs: SQLWrapper): SQL =>
  spentBetween(key, inMonthOf(timeMs, "00"), inMonthOf(timeMs, "99"));

/**
 * Sums nothing for a key without a budget, since its spending is not shown. For the extra parentheses, see `named` of
 * db/statement.ts.
 */
const whereBudgeted = (spent: SQL): SQL<number> =>
  sql<number>`(${sql`case when ${apiKeys.dailyBudget} is null and ${apiKeys.monthlyBudget} is null then 0 else ${spent} end`})`;

/** A key's budget, and its spending in the day and the month of `nowMs`. */
export const budgetAt = (nowMs: SQLWrapper) => ({
  ...pick(apiKeys, "dailyBudget", "monthlyBudget"),
  spentToday: whereBudgeted(spentOnDayOf(apiKeys, nowMs)),
  spentThisMonth: whereBudgeted(spentInMonthOf(apiKeys, nowMs)),
});

/** Creation time that a job ordered now would get. It is after the workspace's newest job, so that it is unique. */
export const nextJobTime = (workspaceId: SQLWrapper, nowMs: SQLWrapper): SQL<number> =>
  sql<number>`max(${nowMs}, coalesce((select max(${jobs.createdAt}) + 1 from ${jobs}
    where ${jobs.workspaceId} = ${workspaceId}), 0))`;

/** The budget of a key as of its next order. */
export const budgetOfKey = statement(
  (given: Given<{ workspaceId: string; apiKeyId: string; nowMs: number }>) => {
    const orderedAtMs = nextJobTime(given.workspaceId, given.nowMs);
    return query
      .read(apiKeys, { ...budgetAt(orderedAtMs), orderedAtMs })
      .where(matches(apiKeys, pick(given, "workspaceId", "apiKeyId")));
  },
);

/**
 * Fails its batch with `key_budget` when the job inserted before it exceeds its key's budget for the job's own day or
 * month. D1 runs batches one after another, so two jobs cannot spend the same remainder.
 */
export const assertKeyBudget = statement((given: Given<{ jobId: string }>) =>
  guard(
    "key_budget",
    sql`not exists (select 1 from ${jobs} join ${apiKeys} on ${apiKeys.apiKeyId} = ${jobs.apiKeyId}
      where ${jobs.jobId} = ${given.jobId}
        and ((${apiKeys.dailyBudget} is not null and ${apiKeys.dailyBudget} < ${spentOnDayOf(apiKeys, jobs.createdAt)})
          or (${apiKeys.monthlyBudget} is not null
            and ${apiKeys.monthlyBudget} < ${spentInMonthOf(apiKeys, jobs.createdAt)})))`,
  ),
);
