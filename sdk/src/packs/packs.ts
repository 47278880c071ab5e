import { ApiError } from "../errors.ts";
import type { RequestOptions } from "../options.ts";
import type { Given, Job, PackRequest } from "../types.ts";
import { Pack, type PackDeps } from "./pack.ts";

export interface CreatePack extends Given<PackRequest> {
  /**
   * Take a pack with the same fingerprint, if the workspace has one that is finished or on its way, instead of paying
   * again. Equal orders at the same time are one pack for each UTC day on the callers' clocks: two packs where they are
   * ordered within moments of midnight, or clocks are wrong. With an idempotency key of your own they are one for each key.
   * After 20 packs in a day that failed or were canceled, equal orders at the same time may each be paid.
   */
  readonly reuse?: boolean | undefined;
}

/** Orders of one pack in a day that ended without files, before another is no longer held against those beside it. */
const ORDERS_A_DAY_MAX = 20;

/** Packs: ordered, waited for and downloaded. */
export class PacksResource {
  readonly #deps: PackDeps;

  constructor(deps: PackDeps) {
    this.#deps = deps;
  }

  /**
   * Orders a pack and pays it, once: the idempotency key is made here, unless one is given, and kept while the order is
   * sent again. Scope: `jobs:write`; with `reuse` also `jobs:read`.
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

  /** A pack by its job's id. Scope: `jobs:read`. */
  async get(jobId: string, options: RequestOptions = {}): Promise<Pack> {
    return new Pack(this.#deps, await this.#deps.jobs.get(jobId, options), false);
  }

  /**
   * The pack of an equal order, or a new one. Orders for the same bytes have the same idempotency key, so that of those at
   * the same time one makes the pack. An order that failed, was canceled or has no files any more gives way to the next.
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
      // The first answer may have been lost: then the order is this one's own.
      if (beside !== null) return new Pack(this.#deps, beside, ordered?.wasSentAgain !== true);
    }
    return new Pack(this.#deps, await this.#deps.jobs.create(request, options), false);
  }

  /** Null where the key belongs to an order that says the same in other words. */
  async #order(request: Given<PackRequest>, options: RequestOptions) {
    try {
      const { data: job, response, retries } = await this.#deps.jobs.create(request, options).withResponse();
      return { job, isNew: response.status === 202, wasSentAgain: retries > 0 };
    } catch (error) {
      if (error instanceof ApiError && error.code === "IDEMPOTENCY_CONFLICT") return null;
      throw error;
    }
  }

  /** The newest job that makes, or has made, the same bytes and can still be used. */
  async #find(renderFingerprint: string, options: RequestOptions): Promise<Job | null> {
    const { items } = await this.#deps.jobs.list({ renderFingerprint }, options).firstPage();
    const found = items.find(({ status }) => status === "succeeded") ?? items[0];
    // A list has no overrides.
    return found === undefined ? null : this.#deps.jobs.get(found.jobId, options);
  }
}

/** Of each day their own: what earlier days left behind need not be gone through. */
function keysOfToday(renderFingerprint: string): readonly string[] {
  const day = new Date().toISOString().slice(0, 10);
  return Array.from({ length: ORDERS_A_DAY_MAX }, (_, at) => `pack-${renderFingerprint}-${day}-${at}`);
}
