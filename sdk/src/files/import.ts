import type { ApiPromise } from "../api-promise.ts";
import { AssetRejectedError, ImportTimeoutError } from "../errors.ts";
import type { RequestOptions } from "../options.ts";
import { pollAfterMs } from "../retry-rules.ts";
import type { Asset, Given, ImportAsset, SlotId } from "../types.ts";
import { wait, withLimit } from "../waiting.ts";

export interface ImportOptions extends RequestOptions {
  /** Slot of the asset. */
  readonly slot: SlotId;
  /** File name of the asset. Default: the name of the slot. */
  readonly name?: string | undefined;
  /** Milliseconds between polls. Default: the interval suggested by the service. */
  readonly pollMs?: number | undefined;
  /** Milliseconds to wait for the import, including the service's retries. Default: two minutes. */
  readonly limitMs?: number | undefined;
  /** Called with the asset when its import begins, and after each attempt or failure. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** Progress of an import. */
export interface ImportProgress extends NonNullable<Asset["import"]> {
  readonly assetId: string;
  /** Host that the file is fetched from. */
  readonly host: string | null;
}

/** The calls used by an import. */
interface Assets {
  readonly import: (request: Given<ImportAsset>, options: RequestOptions) => ApiPromise<Asset>;
  readonly get: (assetId: string, options: RequestOptions) => ApiPromise<Asset>;
}

/** Interval between polls if the service suggests none. */
const DEFAULT_POLL_MS = 2_000;

const DEFAULT_LIMIT_MS = 120_000;

/**
 * Imports a file and waits until it is checked. Throws an `AssetRejectedError` if it is rejected, and an
 * `ImportTimeoutError` if it is not ready in time.
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
