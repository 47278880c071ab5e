import type { ApiPromise } from "../api-promise.ts";
import { AssetRejectedError, ImportTimeoutError } from "../errors.ts";
import type { RequestOptions } from "../options.ts";
import { pollAfterMs } from "../retry-rules.ts";
import type { Asset, Given, ImportAsset, SlotId } from "../types.ts";
import { wait, withLimit } from "../waiting.ts";

export interface ImportOptions extends RequestOptions {
  /** The slot that the asset fills. */
  readonly slot: SlotId;
  /** The asset's file name; the slot's when absent. */
  readonly name?: string | undefined;
  /** Milliseconds between polls. As the service asks when absent. */
  readonly pollMs?: number | undefined;
  /** Milliseconds to wait for the import, all attempts of the service included. Two minutes when absent. */
  readonly limitMs?: number | undefined;
  /** Called with the asset when its import begins and at each further attempt or failure. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** How far an import is. */
export interface ImportProgress extends NonNullable<Asset["import"]> {
  readonly assetId: string;
  /** The host that the file is fetched from. */
  readonly host: string | null;
}

/** The calls that an import makes. */
interface Assets {
  readonly import: (request: Given<ImportAsset>, options: RequestOptions) => ApiPromise<Asset>;
  readonly get: (assetId: string, options: RequestOptions) => ApiPromise<Asset>;
}

/** Where the service names no time until the next poll. */
const DEFAULT_POLL_MS = 2_000;

const DEFAULT_LIMIT_MS = 120_000;

/**
 * Has the service fetch a file and waits until it is checked. Throws an `AssetRejectedError` where it is not taken, and an
 * `ImportTimeoutError` where it is not there in time.
 */
export async function importFrom(
  assets: Assets,
  url: string,
  { slot: slotId, name, pollMs, limitMs = DEFAULT_LIMIT_MS, onProgress, ...options }: ImportOptions,
): Promise<Asset> {
  const { idempotencyKey: _, ...reading } = options;
  const request = { slotId, url, ...(name === undefined ? {} : { fileName: name }) };
  let { data: asset, response } = await assets.import(request, options).withResponse();
  let told: string | null = null;
  const tell = (): void => {
    const { assetId, importedFrom: host, import: progress } = asset;
    const now = JSON.stringify([progress?.attempts, progress?.lastFailure]);
    if (progress !== null && now !== told) onProgress?.({ ...progress, assetId, host });
    told = now;
  };
  const poll = async (signal: AbortSignal): Promise<void> => {
    for (tell(); asset.status === "processing"; tell()) {
      await wait(pollMs ?? pollAfterMs(response.headers) ?? DEFAULT_POLL_MS, signal);
      ({ data: asset, response } = await assets.get(asset.assetId, { ...reading, signal }).withResponse());
    }
  };
  await withLimit(limitMs, options.signal, poll, () => new ImportTimeoutError(asset, limitMs));
  if (asset.status === "rejected") throw new AssetRejectedError(asset);
  return asset;
}
