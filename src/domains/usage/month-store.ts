import { and, asc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import { jobs, ledgerEvents, ledgerMonths, payments, workspaces } from "#platform/db/schema/index.ts";
import { type Given, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

export interface MonthValues {
  readonly workspaceId: string;
  /** Such as `2026-11`. */
  readonly month: string;
  readonly nextMonth: string;
  /** Start of each month, Unix milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
}

/** A column of the first month with events, `month` or later. */
const firstFrom = (
  { workspaceId }: Given<MonthValues>,
  month: SQL,
  column: SQL,
): SQL => sql`select ${column} from ${ledgerMonths}
  where ${ledgerMonths.workspaceId} = ${workspaceId} and ${ledgerMonths.month} >= ${month}
  order by ${ledgerMonths.month} limit 1`;

/** The credits before the first event of the month or of a later month; the current credits when there is none. */
const creditsBefore = (given: Given<MonthValues>, month: SQL): SQL<number> =>
  sql<number>`coalesce((${firstFrom(given, month, sql`${ledgerMonths.openingCredits}`)}), ${workspaces.credits})`;

/** Number of the first event of the month or of a later month; larger than every number when there is none. */
const firstEventOf = (given: Given<MonthValues>, month: SQL): SQL =>
  sql`coalesce((${firstFrom(given, month, sql`${ledgerMonths.firstEventId}`)}), ${sql.raw(String(Number.MAX_SAFE_INTEGER))})`;

/** The workspace and its credits before and after the month. */
export const monthBalances = statement((given: Given<MonthValues>) =>
  query
    .read(workspaces, {
      name: workspaces.name,
      opening: creditsBefore(given, sql`${given.month}`),
      closing: creditsBefore(given, sql`${given.nextMonth}`),
    })
    .where(eq(workspaces.workspaceId, given.workspaceId)),
);

/** Grants for payments through the provider; see src/domains/billing/. */
const isPurchase = sql<number>`${ledgerEvents.type} = 'grant' and ${ledgerEvents.reference} like 'stripe:%'`;

/** Sums of the month's events by type, source and contract. */
export const monthEvents = statement((given: Given<MonthValues>) =>
  query
    .read(ledgerEvents, {
      ...pick(ledgerEvents, "type", "source"),
      isPurchase,
      contractId: sql<string | null>`${jobs.contractId}`,
      events: sql<number>`count(*)`,
      amount: sql<number>`sum(${ledgerEvents.amount})`,
    })
    .leftJoin(jobs, eq(jobs.jobId, ledgerEvents.jobId))
    .where(
      and(
        eq(ledgerEvents.workspaceId, given.workspaceId),
        gte(ledgerEvents.eventId, firstEventOf(given, sql`${given.month}`)),
        lt(ledgerEvents.eventId, firstEventOf(given, sql`${given.nextMonth}`)),
      ),
    )
    .groupBy(ledgerEvents.type, ledgerEvents.source, isPurchase, jobs.contractId)
    .orderBy(jobs.contractId),
);

export type EventSum = RowOf<typeof monthEvents>;

const isPaidIn = (given: Given<MonthValues>) =>
  and(
    eq(payments.workspaceId, given.workspaceId),
    gte(payments.paidAt, given.startMs),
    lt(payments.paidAt, given.endMs),
  );

/** The month's first payments, oldest first. */
export const monthPayments = statement((given: Given<MonthValues>) =>
  query
    .read(payments, {
      ...pick(payments, "paymentId", "kind", "offerId", "currency", "amount", "credits"),
      ...pick(payments, "amountRefunded", "amountDisputed", "paidAt", "receiptUrl"),
    })
    .where(isPaidIn(given))
    .orderBy(asc(payments.paidAt), asc(payments.paymentId))
    .limit(LIMITS.statementPaymentsMax),
);

/** The sums of all the month's payments, by currency. */
export const monthPaymentTotals = statement((given: Given<MonthValues>) =>
  query
    .read(payments, {
      currency: payments.currency,
      payments: sql<number>`count(*)`,
      amount: sql<number>`sum(${payments.amount})`,
      amountRefunded: sql<number>`sum(${payments.amountRefunded})`,
      amountDisputed: sql<number>`sum(${payments.amountDisputed})`,
    })
    .where(isPaidIn(given))
    .groupBy(payments.currency)
    .orderBy(payments.currency),
);
