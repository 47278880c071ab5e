import { ApiError } from "../errors.ts";
import type { RequestOptions } from "../options.ts";
import type { Given, Job, PackRequest } from "../types.ts";
import { Pack, type PackDeps } from "./pack.ts";

export interface CreatePack extends Given<PackRequest> {
  /**
   * Reuse a finished or pending pack with the same fingerprint instead of paying again. Concurrent orders with the same
   * fingerprint become one pack per UTC day of the callers' clocks: around midnight, or with wrong clocks, there may be
   * two. With your own idempotency key they become one pack per key. After 20 failed or canceled packs in a day, each
   * of several concurrent orders may be paid.
   */
  readonly reuse?: boolean | undefined;
}

/** Maximum failed or canceled orders per pack and day. After that, concurrent orders are no longer merged. */
const ORDERS_A_DAY_MAX = 20;

/** Orders, waits for and downloads packs. */
export class PacksResource {
  readonly #deps: PackDeps;

  constructor(deps: PackDeps) {
    this.#deps = deps;
  }

  /**
   * Orders a pack and pays for it once: retries keep the idempotency key, which is generated unless you pass one.
   * Scope: `jobs:write`; with `reuse` also `jobs:read`.
   *
   * @example
   * ```ts
   * const pack = await client.packs.create({
   *   contractId: "display.v1",
   *   selectedSizeIds: ["iab-300x250"],
   *   assetIds: { logo: logo.assetId },
   *   copy: { headline: "Two wheels, no excuses" },
   *   reuse: true,
   * });
   * ```
   */
  async create({ reuse = false, ...request }: CreatePack, options: RequestOptions = {}): Promise<Pack> {
    if (reuse) return this.#findOrOrder(request, options);
    return new Pack(this.#deps, await this.#deps.jobs.create(request, options), false);
  }

  /** A pack by the id of its job. Scope: `jobs:read`. */
  async get(jobId: string, options: RequestOptions = {}): Promise<Pack> {
    return new Pack(this.#deps, await this.#deps.jobs.get(jobId, options), false);
  }

  /**
   * The pack of an earlier order with the same fingerprint, or a new one. Orders with the same fingerprint share an
   * idempotency key, so that only one of several concurrent orders creates the pack. If the order of a key failed, was
   * canceled or lost its files, the next key is used.
   */
  async #findOrOrder(request: Given<PackRequest>, options: RequestOptions): Promise<Pack> {
    const { idempotencyKey, ...rest } = options;
    const { renderFingerprint } = await this.#deps.jobs.quote(request, rest);
    const known = await this.#find(renderFingerprint, rest);
    if (known !== null) return new Pack(this.#deps, known, true);
    const keys = idempotencyKey === undefined ? keysOfToday(renderFingerprint) : [];
    for (const key of keys) {
      const ordered = await this.#order(request, { ...rest, idempotencyKey: key });
      if (ordered?.isNew === true) return new Pack(this.#deps, ordered.job, false);
      const beside = await this.#find(renderFingerprint, rest);
      // After a retry, this may be our own order, because the first response may have been lost.
      if (beside !== null) return new Pack(this.#deps, beside, ordered?.wasSentAgain !== true);
    }
    return new Pack(this.#deps, await this.#deps.jobs.create(request, options), false);
  }

  /** Creates the job. Null if the key was used for an order with the same fingerprint, but a different request body. */
  async #order(request: Given<PackRequest>, options: RequestOptions) {
    try {
      const { data: job, response, retries } = await this.#deps.jobs.create(request, options).withResponse();
      return { job, isNew: response.status === 202, wasSentAgain: retries > 0 };
    } catch (error) {
      if (error instanceof ApiError && error.code === "IDEMPOTENCY_CONFLICT") return null;
      throw error;
    }
  }

  /** The newest reusable job with the same fingerprint. */
  async #find(renderFingerprint: string, options: RequestOptions): Promise<Job | null> {
    const { items } = await this.#deps.jobs.list({ renderFingerprint }, options).firstPage();
    const found = items.find(({ status }) => status === "succeeded") ?? items[0];
    // Read it again, because lists do not include the overrides.
    return found === undefined ? null : this.#deps.jobs.get(found.jobId, options);
  }
}

/**
 * Idempotency keys of a fingerprint. They contain the day, so that keys of orders that failed on earlier days are not
 * tried again.
 */
function keysOfToday(renderFingerprint: string): readonly string[] {
  const day = new Date().toISOString().slice(0, 10);
  return Array.from({ length: ORDERS_A_DAY_MAX }, (_, at) => `pack-${renderFingerprint}-${day}-${at}`);
}
