import type { ApiPromise } from "../api-promise.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { Contract, ContractSummary } from "../types.ts";

/** The catalogue: what a pack may contain. Public. */
export class ContractsResource extends Resource {
  /** All contracts. */
  list(options: RequestOptions = {}): List<ContractSummary> {
    return new List(() =>
      this.transport
        .json({ operation: "listContracts", options })
        .map(({ items }) => ({ items, nextBefore: null })),
    );
  }

  /** A contract with its sizes, formats and copy fields. */
  get(contractId: string, options: RequestOptions = {}): ApiPromise<Contract> {
    return this.transport.json({ operation: "getContract", path: { contractId }, options });
  }
}
