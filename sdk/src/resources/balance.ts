import type { ApiPromise } from "../api-promise.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { Balance } from "../types.ts";

/** What pays the next pack, and what is left of it. */
export class BalanceResource extends Resource {
  /** The workspace's credits, subscription and prices. Scope: `balance:read`. */
  get(options: RequestOptions = {}): ApiPromise<Balance> {
    return this.transport.json({ operation: "getBalance", options });
  }
}
