import type { ApiPromise } from "../api-promise.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { ClaimTrial, Given, Health, Service, Trial } from "../types.ts";

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
