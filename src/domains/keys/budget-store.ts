import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { guard } from "#platform/db/batch-guard.ts";
import { apiKeys, jobs, usageDays } from "#platform/db/schema/index.ts";
import { type Given, matches, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of the keys' budgets. What a key has spent is kept by day, by triggers (migrations/0021). */

const dayOf = (timeMs: SQLWrapper): SQL => sql`strftime('%Y-%m-%d', ${timeMs} / 1000, 'unixepoch')`;

/** A day that sorts with those of the month: 00 before, 99 after all of them. */
const inMonthOf = (timeMs: SQLWrapper, day: "00" | "99"): SQL =>
  sql`strftime(${sql.raw(`'%Y-%m-${day}'`)}, ${timeMs} / 1000, 'unixepoch')`;

/** What a key has spent from one day to another, both included. */
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

/** Nothing is summed for a key without a budget, of which it is not shown. Once more in brackets: see `named` of db/statement.ts. */
const whereBudgeted = (spent: SQL): SQL<number> =>
  sql<number>`(${sql`case when ${apiKeys.dailyBudget} is null and ${apiKeys.monthlyBudget} is null then 0 else ${spent} end`})`;

/** A key's budget, and what it has spent of it at a time. */
export const budgetAt = (nowMs: SQLWrapper) => ({
  ...pick(apiKeys, "dailyBudget", "monthlyBudget"),
  spentToday: whereBudgeted(spentOnDayOf(apiKeys, nowMs)),
  spentThisMonth: whereBudgeted(spentInMonthOf(apiKeys, nowMs)),
});

/** When a job that is ordered now is made: a workspace has one job a millisecond. */
export const nextJobTime = (workspaceId: SQLWrapper, nowMs: SQLWrapper): SQL<number> =>
  sql<number>`max(${nowMs}, coalesce((select max(${jobs.createdAt}) + 1 from ${jobs}
    where ${jobs.workspaceId} = ${workspaceId}), 0))`;

/** The budget of one key, as an order would find it. */
export const budgetOfKey = statement(
  (given: Given<{ workspaceId: string; apiKeyId: string; nowMs: number }>) => {
    const orderedAtMs = nextJobTime(given.workspaceId, given.nowMs);
    return query
      .read(apiKeys, { ...budgetAt(orderedAtMs), orderedAtMs })
      .where(matches(apiKeys, pick(given, "workspaceId", "apiKeyId")));
  },
);

/**
 * Fails its batch with `key_budget` when the job that was written before it is more than its key may spend, on the job's
 * own day or in its month. D1 runs batches one after another: no two jobs see the same rest of a budget.
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
