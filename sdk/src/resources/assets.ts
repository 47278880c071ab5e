import type { ApiPromise } from "../api-promise.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import type { Transport } from "../transport.ts";
import type { Asset } from "../types.ts";

export type AssetsQuery = Operations["listAssets"]["query"];

/** Pictures, logos and fonts of the workspace. */
export class AssetsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Assets that are not deleted, newest first. Scope: `assets:read`. */
  list(query: AssetsQuery = {}, options: RequestOptions = {}): List<Asset> {
    return new List((before = query.before) =>
      this.#transport.json({ operation: "listAssets", query: { ...query, before }, options }),
    );
  }

  /** An asset. Scope: `assets:read`. */
  get(assetId: string, options: RequestOptions = {}): ApiPromise<Asset> {
    return this.#transport.json({ operation: "getAsset", path: { assetId }, options });
  }

  /** Deletes an asset; finished packs stay. Deleting it again shows it again. Scope: `assets:write`. */
  delete(assetId: string, options: RequestOptions = {}): ApiPromise<Asset> {
    return this.#transport.json({ operation: "deleteAsset", path: { assetId }, options });
  }
}
