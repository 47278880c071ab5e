import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import type { Transport } from "../transport.ts";
import type { LedgerEvent } from "../types.ts";

export type UsageQuery = Operations["listUsage"]["query"];

/** The ledger: every change of what the workspace can spend. */
export class UsageResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Ledger events, newest first. Scope: `balance:read`. */
  list(query: UsageQuery = {}, options: RequestOptions = {}): List<LedgerEvent> {
    return new List((before = query.before) =>
      this.#transport.json({ operation: "listUsage", query: { ...query, before }, options }),
    );
  }
}
