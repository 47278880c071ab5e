import { sql } from "drizzle-orm";
import { jobs, ledgerEvents, workspaces } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";

/**
 * Checks the ledger of one database page by page, so that a run reads a bounded number of rows. Every balance must be
 * the sum of its events. Every live job must have one consumption, and one refund exactly when it failed or was
 * canceled. Test jobs must have no events.
 */

/** Maximum number of rows of a page: workspaces, events or jobs. */
const PAGE_ROWS = 2_000;

/**
 * Progress of a check. `workspaceId`, `eventId` and `sum` are of a workspace whose events continue on the next page.
 */
export interface LedgerPosition {
  readonly stage: "events" | "balances" | "jobs";
  readonly workspaceId: string;
  readonly eventId: number;
  readonly sum: number;
  readonly jobId: string;
}

const LEDGER_START: LedgerPosition = {
  stage: "events",
  workspaceId: "",
  eventId: 0,
  sum: 0,
  jobId: "",
};

export interface LedgerFault {
  readonly kind: "balance" | "job";
  readonly workspaceId: string;
  readonly jobId: string | null;
}

interface Page {
  /** Null at the end of the database. */
  readonly next: LedgerPosition | null;
  readonly faults: readonly LedgerFault[];
}

/**
 * The page's events summed by workspace, with the balance from the same read. The balance is null when the workspace is
 * in another database.
 */
const eventSums = statement((given: Given<{ workspaceId: string; eventId: number; limit: number }>) =>
  query
    .select({
      workspaceId: sql<string>`page.workspace_id`,
      events: sql<number>`count(*)`,
      lastEventId: sql<number>`max(page.event_id)`,
      sum: sql<number>`sum(iif(page.source = 'credits', page.amount, 0))`,
      credits: sql<number | null>`(select ${workspaces.credits} from ${workspaces}
        where ${workspaces.workspaceId} = page.workspace_id and ${workspaces.home} is null)`,
    })
    .from(
      sql`(select workspace_id, event_id, source, amount from ${ledgerEvents}
        where (workspace_id, event_id) > (${given.workspaceId}, ${given.eventId})
        order by workspace_id, event_id limit ${given.limit}) as page`,
    )
    .groupBy(sql`page.workspace_id`)
    .orderBy(sql`page.workspace_id`),
);

/** A page of workspaces: the last one's id, their number, and those that have credits but no event. */
const unbackedBalances = statement((given: Given<{ workspaceId: string; limit: number }>) =>
  query
    .select({
      last: sql<string | null>`max(page.workspace_id)`,
      count: sql<number>`count(*)`,
      found: sql<string>`json_group_array(page.workspace_id) filter (where page.home is null and page.credits <> 0
        and not exists (select 1 from ledger_events e where e.workspace_id = page.workspace_id))`,
    })
    .from(
      sql`(select workspace_id, home, credits from ${workspaces} where workspace_id > ${given.workspaceId}
        order by workspace_id limit ${given.limit}) as page`,
    ),
);

/** A page of jobs: the last one's id, their number, and those whose consumption or refund is wrong. */
const wrongJobs = statement((given: Given<{ jobId: string; limit: number }>) =>
  query
    .select({
      last: sql<string | null>`max(page.job_id)`,
      count: sql<number>`count(*)`,
      found: sql<string>`json_group_array(json_array(page.workspace_id, page.job_id)) filter (where
        exists (select 1 from workspaces w where w.workspace_id = page.workspace_id and w.home is null) and iif(page.livemode = 0,
          exists (select 1 from ledger_events e where e.job_id = page.job_id),
          1 <> (select count(*) from ledger_events e
            where e.job_id = page.job_id and e.type = 'consumption' and e.amount = -page.cost_credits)
          or (page.status in ('failed', 'canceled')) <> (select count(*) from ledger_events e
            join ledger_events c on c.job_id = e.job_id and c.type = 'consumption' and c.amount = -e.amount
              and c.source = e.source
            where e.job_id = page.job_id and e.type = 'refund')))`,
    })
    .from(
      sql`(select job_id, workspace_id, status, cost_credits, livemode from ${jobs} where job_id > ${given.jobId}
        order by job_id limit ${given.limit}) as page`,
    ),
);

/**
 * Whether a balance differs from the sum of its events, in one read. Pages are read at different times, so a difference
 * found across pages is only a hint.
 */
const isWrongBalance = statement((given: Given<{ workspaceId: string }>) =>
  query.from(workspaces, "workspaceId").where(
    sql`${workspaces.workspaceId} = ${given.workspaceId} and ${workspaces.home} is null and ${workspaces.credits} <> (
        select coalesce(sum(e.amount), 0) from ledger_events e
        where e.workspace_id = ${given.workspaceId} and e.source = 'credits')`,
  ),
);

async function confirmed(db: D1Database, suspects: readonly string[]): Promise<readonly LedgerFault[]> {
  const faults: LedgerFault[] = [];
  for (const workspaceId of suspects) {
    if ((await isWrongBalance.first(db, { workspaceId })) === null) continue;
    faults.push({ kind: "balance", workspaceId, jobId: null });
  }
  return faults;
}

async function checkEvents(db: D1Database, at: LedgerPosition, limit: number): Promise<Page> {
  const sums = await eventSums.all(db, { workspaceId: at.workspaceId, eventId: at.eventId, limit });
  const total = (one: RowOf<typeof eventSums>) => one.sum + (one.workspaceId === at.workspaceId ? at.sum : 0);
  const isFull = sums.reduce((count, { events }) => count + events, 0) === limit;
  // The last workspace of a full page may have more events.
  const last = isFull ? sums.at(-1) : undefined;
  // A workspace whose events ended exactly with the previous page has no row here; compare it separately.
  const isCarriedOver = at.workspaceId !== "" && sums[0]?.workspaceId !== at.workspaceId;
  const suspects = sums
    .filter((one) => one !== last && one.credits !== null && one.credits !== total(one))
    .map(({ workspaceId }) => workspaceId);
  const faults = await confirmed(db, [...(isCarriedOver ? [at.workspaceId] : []), ...suspects]);
  if (last === undefined) return { next: { ...LEDGER_START, stage: "balances" }, faults };
  const { workspaceId, lastEventId: eventId } = last;
  return { next: { ...at, workspaceId, eventId, sum: total(last) }, faults };
}

/** The last id of a full page; null at the end. */
const lastOfFull = (
  page: { readonly last: string | null; readonly count: number } | null,
  limit: number,
): string | null => (page === null || page.count < limit ? null : page.last);

async function checkBalances(db: D1Database, at: LedgerPosition, limit: number): Promise<Page> {
  const page = await unbackedBalances.first(db, { workspaceId: at.workspaceId, limit });
  const found: readonly string[] = JSON.parse(page?.found ?? "[]");
  const last = lastOfFull(page, limit);
  const next = last === null ? { ...LEDGER_START, stage: "jobs" as const } : { ...at, workspaceId: last };
  return { next, faults: await confirmed(db, found) };
}

async function checkJobs(db: D1Database, at: LedgerPosition, limit: number): Promise<Page> {
  const page = await wrongJobs.first(db, { jobId: at.jobId, limit });
  const found: readonly (readonly [string, string])[] = JSON.parse(page?.found ?? "[]");
  const last = lastOfFull(page, limit);
  return {
    next: last === null ? null : { ...at, jobId: last },
    faults: found.map(([workspaceId, jobId]) => ({ kind: "job", workspaceId, jobId })),
  };
}

const CHECKS = { events: checkEvents, balances: checkBalances, jobs: checkJobs } as const;

/** A position stored as JSON; the start when there is none. */
export const readLedgerPosition = (stored: object | null): LedgerPosition => ({ ...LEDGER_START, ...stored });

/** Checks one page of a database, starting at a position. */
export const checkLedgerPage = (db: D1Database, at: LedgerPosition, limit = PAGE_ROWS): Promise<Page> =>
  CHECKS[at.stage](db, at, limit);

/** Checks a whole database, page after page. */
export async function checkLedger(db: D1Database, limit = PAGE_ROWS): Promise<readonly LedgerFault[]> {
  const faults: LedgerFault[] = [];
  let at: LedgerPosition | null = LEDGER_START;
  while (at !== null) {
    const page: Page = await checkLedgerPage(db, at, limit);
    faults.push(...page.faults);
    at = page.next;
  }
  return faults;
}
