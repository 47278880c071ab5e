import type { ApiPromise } from "../api-promise.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { ClaimTrial, Contract, ContractSummary, Given, Health, Service, Trial } from "../types.ts";

/** The catalogue: what a pack may contain. Needs no key. */
export class ContractsResource extends Resource {
  /** Lists all contracts. */
  list(options: RequestOptions = {}): List<ContractSummary> {
    return new List(() =>
      this.transport
        .json({ operation: "listContracts", options })
        .map(({ items }) => ({ items, nextBefore: null })),
    );
  }

  /** Reads a contract with its sizes, formats and text fields. */
  get(contractId: string, options: RequestOptions = {}): ApiPromise<Contract> {
    return this.transport.json({ operation: "getContract", path: { contractId }, options });
  }
}

/** Calls without a key: trials and the features of the service. */
export class ServiceResource extends Resource {
  /** Features of this origin, for a page before sign-in. */
  describe(options: RequestOptions = {}): ApiPromise<Service> {
    return this.transport.json({ operation: "getService", options });
  }

  /** Configured services of this origin. */
  health(options: RequestOptions = {}): ApiPromise<Health> {
    return this.transport.json({ operation: "getHealth", options });
  }

  /** Creates a trial workspace for an hour, with a few credits and a key. Not retried after a lost response. */
  claimTrial(claim: Given<ClaimTrial> = {}, options: RequestOptions = {}): ApiPromise<Trial> {
    return this.transport.json({ operation: "claimTrialKey", json: claim, options });
  }
}
