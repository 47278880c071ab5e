import { desc, type SQL, sql } from "drizzle-orm";
import type { UsageDimension } from "#api/schemas/usage-summary.ts";
import { apiKeys, usageDays } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, type Statement, statement } from "#platform/db/statement.ts";

export interface SummaryRange {
  readonly workspaceId: string;
  /** Days as `2026-11-22`, both inclusive. */
  readonly from: string;
  readonly to: string;
}

interface SummaryValues extends SummaryRange {
  /** 1 if `day`, `key` and `contract` are the cursor (the previous page's last row); 0 to ignore them. */
  readonly hasCursor: number;
  readonly day: string;
  readonly key: string;
  readonly contract: string;
  readonly limit: number;
}

/**
 * The API keys with any usage, each found by a lookup in the primary key, so that only the range's days are read for
 * each.
 */
const keysUsed = ({ workspaceId }: Given<SummaryValues>): SQL =>
  sql`(with recursive keys_used(key_id) as (
      select min(${usageDays.apiKeyId}) from ${usageDays} where ${usageDays.workspaceId} = ${workspaceId}
      union all
      select (select min(${usageDays.apiKeyId}) from ${usageDays}
        where ${usageDays.workspaceId} = ${workspaceId} and ${usageDays.apiKeyId} > keys_used.key_id)
      from keys_used where keys_used.key_id is not null)
    select key_id from keys_used where key_id is not null)`;

/** A cross join keeps SQLite from starting with `usage_days`. */
const usageInRange = (given: Given<SummaryValues>): SQL =>
  sql`${keysUsed(given)} as used cross join ${usageDays} on ${usageDays.workspaceId} = ${given.workspaceId}
    and ${usageDays.apiKeyId} = used.key_id and ${usageDays.day} between ${given.from} and ${given.to}`;

const COLUMNS = { day: usageDays.day, key: usageDays.apiKeyId, contract: usageDays.contractId } as const;

const summed = (amount: SQL): SQL<number> => sql<number>`coalesce(sum(${amount}), 0)`;

const spentOf = (source: "credits" | "subscription" | "unlimited"): SQL<number> =>
  summed(
    sql`case ${usageDays.source} when ${sql.raw(`'${source}'`)} then ${usageDays.consumed} - ${usageDays.refunded} else 0 end`,
  );

const of = <T>(isGrouped: boolean, column: T, none: SQL<null>) => (isGrouped ? column : none);

function summaryBy(dimensions: readonly UsageDimension[]) {
  const has = (dimension: UsageDimension) => dimensions.includes(dimension);
  const columns = dimensions.map((dimension) => COLUMNS[dimension]);
  return statement((given: Given<SummaryValues>) => {
    const tuple = sql.join(columns, sql`, `);
    const cursor = sql.join(
      dimensions.map((dimension) => sql`${given[dimension]}`),
      sql`, `,
    );
    return query
      .select({
        day: of(has("day"), sql<string | null>`${usageDays.day}`, sql<null>`null`),
        apiKeyId: of(has("key"), sql<string | null>`nullif(${usageDays.apiKeyId}, '')`, sql<null>`null`),
        apiKeyName: of(
          has("key"),
          sql<string | null>`(select ${apiKeys.name} from ${apiKeys}
            where ${apiKeys.apiKeyId} = ${usageDays.apiKeyId} and ${apiKeys.workspaceId} = ${given.workspaceId})`,
          sql<null>`null`,
        ),
        contractId: of(has("contract"), sql<string | null>`${usageDays.contractId}`, sql<null>`null`),
        jobs: summed(sql`${usageDays.jobs}`),
        consumed: summed(sql`${usageDays.consumed}`),
        refunded: summed(sql`${usageDays.refunded}`),
        credits: spentOf("credits"),
        subscription: spentOf("subscription"),
        unlimited: spentOf("unlimited"),
      })
      .from(usageInRange(given))
      .where(columns.length === 0 ? undefined : sql`(${given.hasCursor} = 0 or (${tuple}) < (${cursor}))`)
      .groupBy(...columns)
      .orderBy(...columns.map((column) => desc(column)))
      .limit(given.limit);
  });
}

/** In the order of their values in a cursor. */
export const USAGE_DIMENSIONS: readonly UsageDimension[] = ["day", "key", "contract"];

export type UsageRow = RowOf<ReturnType<typeof summaryBy>>;

/** Cached statements, one for each set of dimensions that was requested. */
const summaries = new Map<string, Statement<SummaryValues, UsageRow>>();

/**
 * Sums of the range's orders, one row for each combination of the dimensions (day, key, contract), in descending order
 * of these.
 */
export function summaryOf(dimensions: readonly UsageDimension[]): Statement<SummaryValues, UsageRow> {
  const name = USAGE_DIMENSIONS.filter((dimension) => dimensions.includes(dimension)).join();
  const known = summaries.get(name);
  if (known !== undefined) return known;
  const made = summaryBy(dimensions);
  summaries.set(name, made);
  return made;
}
