import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Asset, Contract, CreativePacks, PackRequest, RequestOptions, SlotId } from "../index.ts";
import { ASSET_FIELDS } from "./pack-fields.ts";
import type { PackInput } from "./pack-input.ts";
import { remembered } from "./remembered.ts";
import { UsageError } from "./usage-error.ts";

/** Told while a file goes out. */
export type OnUpload = (fileName: string, sentBytes: number, totalBytes: number) => void;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Where an asset comes from. */
export type AssetSource =
  | { readonly kind: "asset"; readonly assetId: string }
  | { readonly kind: "address"; readonly url: string }
  | { readonly kind: "file"; readonly path: string };

/** Reads what stands for an asset; a path is taken from `folder`. */
export function readAssetSource(text: string, folder: string): AssetSource {
  if (UUID.test(text)) return { kind: "asset", assetId: text.toLowerCase() };
  if (/^https:\/\//i.test(text)) return { kind: "address", url: text };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw new UsageError(`${text}: pictures are fetched from https addresses only.`);
  }
  return { kind: "file", path: resolve(folder, text) };
}

/** Throws a `UsageError` for a file that is not there. */
async function requireFile(source: AssetSource): Promise<void> {
  if (source.kind !== "file") return;
  const found = await stat(source.path).catch(() => null);
  if (found?.isFile() !== true)
    throw new UsageError(`${source.path}: there is no such file. Check the path.`);
}

/** Makes requests of inputs. Each file is sent and each contract read once, however many packs use it. */
export class RequestMaker {
  readonly #client: CreativePacks;
  readonly #options: RequestOptions;
  readonly #onUpload: OnUpload;
  readonly #assets = new Map<string, Promise<Asset>>();
  readonly #checked = new Map<string, Promise<void>>();
  readonly #contracts = new Map<string, Promise<Contract>>();

  constructor(client: CreativePacks, options: RequestOptions, onUpload: OnUpload) {
    this.#client = client;
    this.#options = options;
    this.#onUpload = onUpload;
  }

  /** Throws a `UsageError` for a file that is not there and for an unknown size, before anything is uploaded. */
  async check(input: PackInput, folder: string): Promise<void> {
    for (const text of Object.values(input.assets))
      await remembered(this.#checked, text, async () => requireFile(readAssetSource(text, folder)));
    await this.sizesOf(input);
  }

  /** The request of an input, with its files in the workspace. `folder`: where its paths begin. */
  async make(input: PackInput, folder: string): Promise<PackRequest> {
    const { contractId, sizes: _sizes, outputFormat, motion, assets, ...design } = input;
    const selectedSizeIds = await this.sizesOf(input);
    const assetIds: Partial<Record<SlotId, string>> = {};
    for (const { slot } of ASSET_FIELDS) {
      const text = assets[slot];
      if (text !== undefined) assetIds[slot] = await this.#assetIdOf(slot, readAssetSource(text, folder));
    }
    // In this order: a row's idempotency key is a hash of the request's JSON.
    return {
      contractId,
      selectedSizeIds: [...selectedSizeIds],
      ...(outputFormat === null ? {} : { outputFormat }),
      motion,
      assetIds,
      ...design,
    };
  }

  /** The ids of the chosen sizes. Throws a `UsageError` that lists the contract's where one is unknown. */
  async sizesOf({ contractId, sizes }: Pick<PackInput, "contractId" | "sizes">): Promise<readonly string[]> {
    const contract = await this.#contract(contractId);
    const known = contract.sizes.map(({ sizeId }) => sizeId);
    if (sizes === "all") return known;
    const unknown = sizes.filter((size) => !known.includes(size));
    if (unknown.length === 0) return sizes;
    throw new UsageError(
      `${contractId} has no size ${unknown.map((size) => `\`${size}\``).join(", ")}. It has: ${known.join(", ")}.`,
    );
  }

  #contract(contractId: string): Promise<Contract> {
    return remembered(this.#contracts, contractId, () =>
      this.#client.contracts.get(contractId, this.#options),
    );
  }

  async #assetIdOf(slot: SlotId, source: AssetSource): Promise<string> {
    if (source.kind === "asset") return source.assetId;
    const from = source.kind === "file" ? source.path : source.url;
    const { assetId } = await remembered(this.#assets, `${slot} ${from}`, () => this.#bring(slot, source));
    return assetId;
  }

  #bring(slot: SlotId, source: Exclude<AssetSource, { kind: "asset" }>): Promise<Asset> {
    if (source.kind === "address") {
      return this.#client.assets.importFrom(source.url, { slot, ...this.#options });
    }
    return this.#client.assets.upload(source.path, {
      slot,
      ...this.#options,
      onProgress: ({ sentBytes, totalBytes }) => this.#onUpload(source.path, sentBytes, totalBytes),
    });
  }
}
