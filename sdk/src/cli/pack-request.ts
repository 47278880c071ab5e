import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { nearestSizeIds } from "creative-packs-service/nearest-sizes";
import {
  type Asset,
  type Contract,
  type CreativePacks,
  type ImportProgress,
  NotFoundError,
  type PackRequest,
  type RequestOptions,
  type SlotId,
} from "../index.ts";
import { memoizePerKey } from "./memoize-per-key.ts";
import { ASSET_FIELDS } from "./pack-fields.ts";
import type { PackInput } from "./pack-input.ts";
import type { Terminal } from "./terminal.ts";
import { mistakesOf, UsageError } from "./usage-error.ts";

/** Options for uploading and importing files. */
export interface BringOptions extends RequestOptions {
  /** Called as bytes of a file are sent. */
  readonly onUpload?: ((fileName: string, sentBytes: number, totalBytes: number) => void) | undefined;
  /** Called while the service imports a file. */
  readonly onImport?: ((progress: ImportProgress) => void) | undefined;
  /** Milliseconds to wait for an import. */
  readonly importLimitMs?: number | undefined;
}

/** Prints each failed attempt of an import, to explain the wait. */
export const noteImports =
  ({ note }: Terminal): BringOptions["onImport"] =>
  ({ host, attempts, lastFailure, nextAttemptAt }) => {
    if (lastFailure === null || nextAttemptAt === null) return;
    const next = `The next is at ${nextAttemptAt.slice(11, 19)} UTC.`;
    note(`Import from ${host}: attempt ${attempts} failed. ${lastFailure.message} ${next}`);
  };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Source of an asset. */
export type AssetSource =
  | { readonly kind: "asset"; readonly assetId: string }
  | { readonly kind: "address"; readonly url: string }
  | { readonly kind: "file"; readonly path: string };

/** Parses an asset field. Paths are relative to `folder`. */
export function readAssetSource(field: string, text: string, folder: string): AssetSource {
  if (UUID.test(text)) return { kind: "asset", assetId: text.toLowerCase() };
  if (/^https:\/\//i.test(text)) return { kind: "address", url: text };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw new UsageError(`${field}: ${text}: pictures are fetched from https addresses only.`);
  }
  return { kind: "file", path: resolve(folder, text) };
}

/** Throws a `UsageError` if the file does not exist. */
async function requireFile(field: string, source: AssetSource): Promise<void> {
  if (source.kind !== "file") return;
  const found = await stat(source.path).catch(() => null);
  if (found?.isFile() !== true)
    throw new UsageError(`${field}: ${source.path}: there is no such file. Check the path.`);
}

/** Creates requests from inputs. Uploads each file and reads each contract once, for any number of packs. */
export class RequestMaker {
  readonly #client: CreativePacks;
  readonly #options: RequestOptions;
  readonly #bringOptions: BringOptions;
  readonly #assets = new Map<string, Promise<Asset>>();
  readonly #checked = new Map<string, Promise<void>>();
  readonly #contracts = new Map<string, Promise<Contract>>();

  constructor(client: CreativePacks, options: BringOptions) {
    this.#client = client;
    this.#options = { signal: options.signal };
    this.#bringOptions = options;
  }

  /** Returns a message for each missing file and for unknown contracts and sizes. Uploads nothing. */
  async findMistakes(input: PackInput, folder: string): Promise<readonly string[]> {
    const mistakes: string[] = [];
    const keep = (error: unknown) => void mistakes.push(...mistakesOf(error));
    for (const { name, slot } of ASSET_FIELDS) {
      const text = input.assets[slot];
      if (text === undefined) continue;
      const check = async () => requireFile(name, readAssetSource(name, text, folder));
      await memoizePerKey(this.#checked, `${name} ${text}`, check).catch(keep);
    }
    await this.sizesOf(input).catch(keep);
    return mistakes;
  }

  /** Uploads the files of an input and returns its request. Paths are relative to `folder`. */
  async make(input: PackInput, folder: string): Promise<PackRequest> {
    const { contractId, sizes: _sizes, outputFormat, motion, assets, ...design } = input;
    const selectedSizeIds = await this.sizesOf(input);
    const assetIds: Partial<Record<SlotId, string>> = {};
    for (const { name, slot } of ASSET_FIELDS) {
      const text = assets[slot];
      if (text !== undefined)
        assetIds[slot] = await this.#assetIdOf(slot, readAssetSource(name, text, folder));
    }
    // Keep the order of members: a row's idempotency key is a hash of the request's JSON.
    return {
      contractId,
      selectedSizeIds: [...selectedSizeIds],
      ...(outputFormat === null ? {} : { outputFormat }),
      motion,
      assetIds,
      ...design,
    };
  }

  /** Ids of the chosen sizes. Throws a `UsageError` that suggests similar sizes if a size is unknown. */
  async sizesOf({ contractId, sizes }: Pick<PackInput, "contractId" | "sizes">): Promise<readonly string[]> {
    const contract = await this.#contract(contractId);
    const known = contract.sizes.map(({ sizeId }) => sizeId);
    if (sizes === "all") return known;
    const unknown = sizes.filter((size) => !known.includes(size));
    if (unknown.length === 0) return sizes;
    const named = unknown.map((size) => {
      const nearest = nearestSizeIds(size, contract.sizes);
      return `\`${size}\`. Did you mean ${nearest.slice(0, -1).join(", ")} or ${nearest.at(-1)}?`;
    });
    throw new UsageError(
      `sizes: ${contractId} has no size ${named.join(" Nor has it ")} All: \`creative-packs sizes ${contractId}\`.`,
    );
  }

  #contract(contractId: string): Promise<Contract> {
    return memoizePerKey(this.#contracts, contractId, async () =>
      this.#client.contracts.get(contractId, this.#options).catch((error) => {
        if (!(error instanceof NotFoundError)) throw error;
        const advice = "`creative-packs sizes` lists what there is.";
        throw new UsageError(`contract: there is no \`${contractId}\`. ${advice}`, { cause: error });
      }),
    );
  }

  async #assetIdOf(slot: SlotId, source: AssetSource): Promise<string> {
    if (source.kind === "asset") return source.assetId;
    const from = source.kind === "file" ? source.path : source.url;
    const { assetId } = await memoizePerKey(this.#assets, `${slot} ${from}`, () => this.#bring(slot, source));
    return assetId;
  }

  #bring(slot: SlotId, source: Exclude<AssetSource, { kind: "asset" }>): Promise<Asset> {
    const { onUpload, onImport, importLimitMs } = this.#bringOptions;
    const options = { slot, ...this.#options };
    if (source.kind === "address") {
      return this.#client.assets.importFrom(source.url, {
        ...options,
        limitMs: importLimitMs,
        onProgress: onImport,
      });
    }
    return this.#client.assets.upload(source.path, {
      ...options,
      onProgress: ({ sentBytes, totalBytes }) => onUpload?.(source.path, sentBytes, totalBytes),
    });
  }
}
