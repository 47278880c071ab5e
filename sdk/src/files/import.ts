import type { ApiPromise } from "../api-promise.ts";
import { AssetRejectedError } from "../errors.ts";
import type { RequestOptions } from "../options.ts";
import { pollAfterMs } from "../retry-rules.ts";
import type { Asset, Given, ImportAsset, SlotId } from "../types.ts";
import { wait } from "../waiting.ts";

export interface ImportOptions extends RequestOptions {
  /** The slot that the asset fills. */
  readonly slot: SlotId;
  /** The asset's file name; the slot's when absent. */
  readonly name?: string | undefined;
  /** Milliseconds between polls. As the service asks when absent. */
  readonly pollMs?: number | undefined;
}

/** The calls that an import makes. */
interface Assets {
  readonly import: (request: Given<ImportAsset>, options: RequestOptions) => ApiPromise<Asset>;
  readonly get: (assetId: string, options: RequestOptions) => ApiPromise<Asset>;
}

/** Where the service names no time until the next poll. */
const DEFAULT_POLL_MS = 2_000;

/** Has the service fetch a file and waits until it is checked. Throws an `AssetRejectedError` where it is not taken. */
export async function importFrom(
  assets: Assets,
  url: string,
  { slot: slotId, name, pollMs, ...options }: ImportOptions,
): Promise<Asset> {
  const { idempotencyKey: _, ...reading } = options;
  const request = { slotId, url, ...(name === undefined ? {} : { fileName: name }) };
  let { data: asset, response } = await assets.import(request, options).withResponse();
  while (asset.status === "processing") {
    await wait(pollMs ?? pollAfterMs(response.headers) ?? DEFAULT_POLL_MS, options.signal);
    ({ data: asset, response } = await assets.get(asset.assetId, reading).withResponse());
  }
  if (asset.status === "rejected") throw new AssetRejectedError(asset);
  return asset;
}
