import { sql } from "drizzle-orm";
import { jobs } from "#platform/db/schema/index.ts";
import { type Given, query, statement } from "#platform/db/statement.ts";

/**
 * Older jobs cannot have failed in the period, because an open job fails after a day; see
 * src/interface/queue/README.md.
 */
const OPEN_MS_MAX = 2 * 24 * 60 * 60_000;

/**
 * The newest `limit` packs of a workspace that failed in a period; each row also has the total number of failed packs
 * and the credits that they cost.
 */
export const failedPacks = statement(
  (given: Given<{ workspaceId: string; fromMs: number; toMs: number; limit: number }>) =>
    query
      .read(jobs, {
        headline: sql<string | null>`json_extract(${jobs.copy}, '$.headline')`,
        contractId: jobs.contractId,
        count: sql<number>`count(*) over ()`,
        credits: sql<number>`sum(${jobs.costCredits}) over ()`,
      })
      .where(
        sql`${jobs.workspaceId} = ${given.workspaceId} and ${jobs.status} = 'failed' and ${jobs.livemode} = 1
          and ${jobs.createdAt} > ${given.fromMs} - ${OPEN_MS_MAX} and ${jobs.createdAt} < ${given.toMs}
          and ${jobs.finishedAt} >= ${given.fromMs} and ${jobs.finishedAt} < ${given.toMs}`,
      )
      .orderBy(sql`${jobs.createdAt} desc`)
      .limit(given.limit),
);
