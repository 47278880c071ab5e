import { desc, sql } from "drizzle-orm";
import { jobs, usageDays, workspaces } from "../db/schema/index.ts";
import { type Given, query, statement } from "../db/statement.ts";

/** SQL of a database's size, for operators. Each statement scans an index. */

/** Number of workspaces in this database, and of forwarders and directory entries. */
export const workspaceCounts = statement(() =>
  query.read(workspaces, {
    here: sql<number>`count(*) filter (where ${workspaces.home} is null)`,
    elsewhere: sql<number>`count(*) filter (where ${workspaces.home} is not null)`,
  }),
);

export const packCount = statement(() => query.read(jobs, { count: sql<number>`count(*)` }));

/** Packs ordered since a UTC day, such as `2026-11-22`. */
export const packsSince = statement((given: Given<{ day: string }>) =>
  query
    .read(usageDays, { count: sql<number>`coalesce(sum(${usageDays.jobs}), 0)` })
    .where(sql`${usageDays.day} >= ${given.day}`),
);

/** The workspaces with the most packs. */
export const largestWorkspaces = statement((given: Given<{ limit: number }>) =>
  query
    .read(jobs, { workspaceId: jobs.workspaceId, packs: sql<number>`count(*)` })
    .groupBy(jobs.workspaceId)
    .orderBy(desc(sql`count(*)`))
    .limit(given.limit),
);
