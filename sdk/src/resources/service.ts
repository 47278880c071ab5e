import type { ApiPromise } from "../api-promise.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { ClaimTrial, Contract, ContractSummary, Given, Health, Service, Trial } from "../types.ts";

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

/** What needs no key: a trial, and what this origin is configured for. */
export class ServiceResource extends Resource {
  /** What the origin offers, for a page before anybody has signed in. */
  describe(options: RequestOptions = {}): ApiPromise<Service> {
    return this.transport.json({ operation: "getService", options });
  }

  /** Which services the origin has. */
  health(options: RequestOptions = {}): ApiPromise<Health> {
    return this.transport.json({ operation: "getHealth", options });
  }

  /** A workspace of an hour with a few credits and its key. Not sent again when its answer is lost. */
  claimTrial(claim: Given<ClaimTrial> = {}, options: RequestOptions = {}): ApiPromise<Trial> {
    return this.transport.json({ operation: "claimTrialKey", json: claim, options });
  }
}
