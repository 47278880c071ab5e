import type { ApiPromise } from "../api-promise.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { AuditEvent, Balance, LedgerEvent, MonthStatement, UsageSummary } from "../types.ts";

type SummaryParameters = Omit<Operations["getUsageSummary"]["query"], "groupBy" | "format">;

/** Days as `2026-11-22`, in UTC. */
export interface UsageSummaryQuery extends SummaryParameters {
  /** What each row stands for: by day where nothing is said, totals alone for an empty list. */
  readonly groupBy?: readonly ("day" | "key" | "contract")[] | undefined;
}

const parametersOf = ({ groupBy, ...rest }: UsageSummaryQuery) => ({ ...rest, groupBy: groupBy?.join(",") });

/** What was spent: the ledger, its sums and its months. */
export class UsageResource extends Resource {
  /** Ledger events, newest first. Scope: `balance:read`. */
  list(query: Operations["listUsage"]["query"] = {}, options: RequestOptions = {}): List<LedgerEvent> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listUsage", query: { ...query, before }, options }),
    );
  }

  /** Orders by day, key or contract, a thousand rows at a time. Scope: `balance:read`. */
  summary(query: UsageSummaryQuery = {}, options: RequestOptions = {}): ApiPromise<UsageSummary> {
    return this.transport.json({ operation: "getUsageSummary", query: parametersOf(query), options });
  }

  /** The same rows as CSV; the header `Link` of the answer names the next page. Scope: `balance:read`. */
  summaryCsv(query: UsageSummaryQuery = {}, options: RequestOptions = {}): ApiPromise<string> {
    const csv = { ...parametersOf(query), format: "csv" as const };
    return this.transport
      .bytes({ operation: "getUsageSummary", query: csv, accept: "text/csv", options })
      .map((bytes) => new TextDecoder().decode(bytes));
  }

  /** A month that adds up, as `2026-11`; the present one where none is named. Scope: `balance:read`. */
  statement(month?: string, options: RequestOptions = {}): ApiPromise<MonthStatement> {
    return this.transport.json({ operation: "getStatement", query: { month }, options });
  }
}

/** What pays the next pack, and what is left of it. */
export class BalanceResource extends Resource {
  /** The workspace's credits, subscription and prices. Scope: `balance:read`. */
  get(options: RequestOptions = {}): ApiPromise<Balance> {
    return this.transport.json({ operation: "getBalance", options });
  }
}

/** Who changed keys, people, destinations, money and access. */
export class AuditResource extends Resource {
  /** Events of the last 400 days, newest first. Scope: `audit:read`. */
  list(
    query: Omit<Operations["listAudit"]["query"], "format"> = {},
    options: RequestOptions = {},
  ): List<AuditEvent> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listAudit", query: { ...query, before }, options }),
    );
  }
}
