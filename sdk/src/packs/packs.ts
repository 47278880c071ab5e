import type { RequestOptions } from "../options.ts";
import type { ArtifactsResource } from "../resources/artifacts.ts";
import type { JobsResource } from "../resources/jobs.ts";
import type { Given, Job, PackRequest } from "../types.ts";
import { Pack } from "./pack.ts";

/** What packs are made, watched and fetched with. */
export interface PackDeps {
  readonly jobs: JobsResource;
  readonly artifacts: ArtifactsResource;
}

export interface CreatePack extends Given<PackRequest> {
  /**
   * Take a pack with the same fingerprint, if the workspace has one that is finished or on its way, instead of paying
   * again. Of two such orders at the same time each may still pay.
   */
  readonly reuse?: boolean | undefined;
}

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
    const known = reuse ? await this.#find(request, options) : null;
    if (known !== null) return new Pack(this.#deps, known, true);
    return new Pack(this.#deps, await this.#deps.jobs.create(request, options), false);
  }

  /** A pack by its job's id. Scope: `jobs:read`. */
  async get(jobId: string, options: RequestOptions = {}): Promise<Pack> {
    return new Pack(this.#deps, await this.#deps.jobs.get(jobId, options), false);
  }

  /** The newest job that makes, or has made, the same bytes and can still be used. */
  async #find(request: Given<PackRequest>, options: RequestOptions): Promise<Job | null> {
    const { idempotencyKey: _, ...rest } = options;
    const { renderFingerprint } = await this.#deps.jobs.quote(request, rest);
    const { items } = await this.#deps.jobs.list({ renderFingerprint }, rest).firstPage();
    return items.find(({ status }) => status === "succeeded") ?? items[0] ?? null;
  }
}
