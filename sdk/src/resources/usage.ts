import type { ApiPromise } from "../api-promise.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { AuditEvent, Balance, LedgerEvent, MonthStatement, UsageSummary } from "../types.ts";

type SummaryParameters = Omit<Operations["getUsageSummary"]["query"], "groupBy" | "format">;

/** Dates such as `2026-11-22`, in UTC. */
export interface UsageSummaryQuery extends SummaryParameters {
  /** Grouping of the rows. Default: day. Empty: totals only. */
  readonly groupBy?: readonly ("day" | "key" | "contract")[] | undefined;
}

const parametersOf = ({ groupBy, ...rest }: UsageSummaryQuery) => ({ ...rest, groupBy: groupBy?.join(",") });

/** Spending: the ledger, its totals and monthly statements. */
export class UsageResource extends Resource {
  /** Lists ledger events, newest first. Scope: `balance:read`. */
  list(query: Operations["listUsage"]["query"] = {}, options: RequestOptions = {}): List<LedgerEvent> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listUsage", query: { ...query, before }, options }),
    );
  }

  /** Jobs and credits by day, key or contract, 1,000 rows per page. Scope: `balance:read`. */
  summary(query: UsageSummaryQuery = {}, options: RequestOptions = {}): ApiPromise<UsageSummary> {
    return this.transport.json({ operation: "getUsageSummary", query: parametersOf(query), options });
  }

  /** Like `summary`, but as CSV. The response's `Link` header has the next page. Scope: `balance:read`. */
  summaryCsv(query: UsageSummaryQuery = {}, options: RequestOptions = {}): ApiPromise<string> {
    const csv = { ...parametersOf(query), format: "csv" as const };
    return this.transport
      .bytes({ operation: "getUsageSummary", query: csv, accept: "text/csv", options })
      .map((bytes) => new TextDecoder().decode(bytes));
  }

  /** Statement of a month such as `2026-11`. Default: the current month. Scope: `balance:read`. */
  statement(month?: string, options: RequestOptions = {}): ApiPromise<MonthStatement> {
    return this.transport.json({ operation: "getStatement", query: { month }, options });
  }
}

/** The workspace's credits. */
export class BalanceResource extends Resource {
  /** Credits, subscription and prices of the workspace. Scope: `balance:read`. */
  get(options: RequestOptions = {}): ApiPromise<Balance> {
    return this.transport.json({ operation: "getBalance", options });
  }
}

/** Audit log: changes to keys, members, destinations, money and access. */
export class AuditResource extends Resource {
  /** Lists events of the last 400 days, newest first. Scope: `audit:read`. */
  list(
    query: Omit<Operations["listAudit"]["query"], "format"> = {},
    options: RequestOptions = {},
  ): List<AuditEvent> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listAudit", query: { ...query, before }, options }),
    );
  }
}
